import { PROBLEMS, type ProblemCode, type RequestFault } from '@agentflow/contracts';

/** What a refusal tells beside its code. */
export interface DomainErrorOptions {
  /** A sentence about this occurrence. */
  detail?: string;
  /** The single faults of a request. */
  faults?: RequestFault[];
  /** Further members of the answer, such as the state that refused. */
  members?: Readonly<Record<string, unknown>>;
  /** After how long the same may succeed, where that is known. */
  retryAfterSeconds?: number;
}

/** A refusal that belongs to the product's rules, by its code in the catalogue. It knows nothing of HTTP. */
export class DomainError extends Error {
  readonly faults: RequestFault[] | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ProblemCode,
    options: DomainErrorOptions = {},
  ) {
    super(options.detail ?? PROBLEMS[code].title);
    this.name = 'DomainError';
    this.detail = options.detail;
    this.faults = options.faults;
    this.members = options.members ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The one answer to what is not there and to what the caller may not see. */
export function notFound(): DomainError {
  return new DomainError('not_found');
}
