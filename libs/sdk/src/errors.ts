import type { components } from './generated/api.js';

/** One fault of a request: where, as a JSON Pointer into the body or `?name` of a parameter, and what. */
export interface RequestFault {
  pointer: string;
  detail: string;
}

/** The codes that the API had when this client was made; a newer API may have more. */
export type ProblemCode = components['schemas']['Problem']['code'] | (string & {});

/** Whatever goes wrong between the client and the API. Wrong use of the client is a `TypeError` instead. */
export class AgentFlowError extends Error {
  static {
    this.prototype.name = 'AgentFlowError';
  }
}

/** No answer arrived: no connection, or one that broke. It was tried again before this was thrown. */
export class ConnectionError extends AgentFlowError {
  static {
    this.prototype.name = 'ConnectionError';
  }
}

/** No answer arrived in time. What was sent may have been carried out; the same call again does no harm. */
export class TimeoutError extends AgentFlowError {
  static {
    this.prototype.name = 'TimeoutError';
  }
}

/** The API refused, with an RFC 9457 problem. */
export class ApiError extends AgentFlowError {
  static {
    this.prototype.name = 'ApiError';
  }

  /** The HTTP status. */
  readonly status: number;
  /** The stable code to decide by, such as `run.final`; `undefined` when something in between answered. */
  readonly code: ProblemCode | undefined;
  /** What is wrong, the same for every occurrence of the code. */
  readonly title: string;
  /** A sentence about this occurrence. */
  readonly detail: string | undefined;
  /** The single faults of a request that does not have the documented form. */
  readonly errors: readonly RequestFault[];
  /** The id under which the server logged the request. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before the same call, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The whole problem, with the members that only some codes have, such as `current_state` and `allowed`. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    problem: Readonly<Record<string, unknown>>,
    { requestId, retryAfterMs }: { requestId?: string | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    const code = text(problem['code']);
    const title = text(problem['title']) ?? 'Not an answer of AgentFlow';
    const detail = text(problem['detail']);
    const errors = faults(problem['errors']);
    super(
      [`${status} ${code ?? ''}`.trim(), title, detail ?? errors.map(inWords).join('; ')]
        .filter(Boolean)
        .join(': '),
    );
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId ?? text(problem['instance'])?.replace(/^urn:uuid:/, '');
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function faults(value: unknown): RequestFault[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<RequestFault>[]).map((fault) => ({
    pointer: String(fault?.pointer ?? ''),
    detail: String(fault?.detail ?? ''),
  }));
}

function inWords({ pointer, detail }: RequestFault): string {
  return `${pointer} ${detail}`;
}
