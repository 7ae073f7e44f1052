import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import { databaseFault, type DatabaseFault } from '@agentflow/database';
import { DomainError, boundedFaults } from '@agentflow/domain';
import { HttpException } from '@nestjs/common';

/** An RFC 9457 problem, ready to be sent. */
export interface ProblemAnswer {
  status: number;
  body: Record<string, unknown>;
  /** Seconds after which the same request may succeed. */
  retryAfter: number | undefined;
  /** The server's own fault: it is logged with its stack, and the client is told nothing. */
  isFault: boolean;
}

/** Where the page of a problem lives. */
export const PROBLEM_PAGES = '/docs/problems/';

/** What Nest and Fastify refuse by themselves, by status: Nest hides Fastify's codes behind its own exceptions. */
const HTTP_PROBLEMS: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthenticated',
  404: 'not_found',
  413: 'request_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
};

/** What the router refuses before Nest hears of it: a path that names nothing, whatever is wrong with it. */
const ROUTER_CODES = new Set(['FST_ERR_BAD_URL', 'FST_ERR_ASYNC_CONSTRAINT', 'FST_ERR_MAX_PARAM_LENGTH']);

const DATABASE_PROBLEMS: Record<DatabaseFault, ProblemCode> = {
  unavailable: 'unavailable',
  timeout: 'timeout',
  retryable: 'unavailable',
  invisible: 'not_found',
  unique_violation: 'internal',
  foreign_key_violation: 'not_found',
  bad_value: 'invalid_request',
  unknown: 'internal',
};

/** Codes of 503: the client is told when to come back. */
/** After how long the same request may succeed. */
export const RETRY_AFTER_SECONDS: Partial<Record<ProblemCode, number>> = {
  unavailable: 1,
  timeout: 1,
  'idempotency.in_progress': 1,
  too_many_items: 1,
  too_many_streams: 5,
  too_many_bulk_actions: 5,
};

/** The one place where a failure becomes an answer. Nothing of the database, no value and no stack gets into it. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  const refusal = error instanceof DomainError ? error : new DomainError(codeOf(error));
  const { status, title } = PROBLEMS[refusal.code];
  return {
    status,
    body: {
      type: PROBLEM_PAGES + refusal.code,
      title,
      status,
      code: refusal.code,
      ...(refusal.detail === undefined ? {} : { detail: refusal.detail }),
      instance: `urn:uuid:${requestId}`,
      ...(refusal.faults === undefined ? {} : { errors: boundedFaults(refusal.faults) }),
      ...refusal.members,
    },
    retryAfter: refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS[refusal.code],
    isFault: status === 500 || databaseFault(error) === 'bad_value',
  };
}

function codeOf(error: unknown): ProblemCode {
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return HTTP_PROBLEMS[status] ?? (status < 500 ? 'invalid_request' : 'internal');
  }
  if (ROUTER_CODES.has((error as { code?: string } | undefined)?.code ?? '')) return 'not_found';
  const fault = databaseFault(error);
  return fault === undefined ? 'internal' : DATABASE_PROBLEMS[fault];
}
