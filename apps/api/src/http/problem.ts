import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import { databaseFault, type DatabaseFault } from '@agentflow/database';
import { DomainError } from '@agentflow/domain';
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

/** What Fastify refuses before a handler runs, by its code. */
const FASTIFY_CODES: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

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
const RETRY_AFTER_SECONDS: Partial<Record<ProblemCode, number>> = {
  unavailable: 1,
  timeout: 1,
  'idempotency.in_progress': 1,
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
      ...(refusal.faults === undefined ? {} : { errors: refusal.faults }),
      ...refusal.members,
    },
    retryAfter: RETRY_AFTER_SECONDS[refusal.code],
    isFault: status === 500 || databaseFault(error) === 'bad_value',
  };
}

function codeOf(error: unknown): ProblemCode {
  const fault = databaseFault(error);
  if (fault !== undefined) return DATABASE_PROBLEMS[fault];
  const fastify = FASTIFY_CODES[(error as { code?: string } | undefined)?.code ?? ''];
  if (fastify !== undefined) return fastify;
  if (error instanceof HttpException && error.getStatus() === 404) return 'not_found';
  if (error instanceof HttpException && error.getStatus() === 401) return 'unauthenticated';
  return 'internal';
}
