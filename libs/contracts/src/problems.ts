/** One kind of refusal: its HTTP status and the title that never changes. */
export interface Problem {
  readonly status: number;
  readonly title: string;
}

/**
 * Every problem that an answer can carry, by its stable code. Each code has a page under `docs/problems/`, which
 * its `type` links to. A code is never reused for another meaning.
 */
export const PROBLEMS = {
  unauthenticated: { status: 401, title: 'A valid API key is needed' },
  forbidden: { status: 403, title: 'The key may not do this' },
  not_found: { status: 404, title: 'There is no such thing here' },
  method_not_allowed: { status: 405, title: 'This path does not know the method' },

  malformed_json: { status: 400, title: 'The body cannot be read or kept as it is' },
  invalid_request: { status: 400, title: 'The request does not have the documented form' },
  invalid_cursor: { status: 400, title: 'The cursor does not belong to this list' },
  request_too_large: { status: 413, title: 'The request is larger than the limit' },
  unsupported_media_type: { status: 415, title: 'The body is in a form that is not taken here' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  upgrade_required: { status: 426, title: 'This path speaks WebSocket only' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },

  'idempotency.key_reused': { status: 422, title: 'The idempotency key was used for another request' },
  'idempotency.in_progress': { status: 409, title: 'The same request is still in progress' },

  name_taken: { status: 409, title: 'The name is taken' },
  slug_taken: { status: 409, title: 'The slug is taken' },
  id_conflict: { status: 409, title: 'The id stands for other content' },
  external_id_conflict: { status: 409, title: 'The external id stands for another run' },
  version_mismatch: { status: 412, title: 'The agent has another version by now' },

  'project.not_empty': { status: 409, title: 'The project still has agents' },
  'key.wider_than_minter': { status: 403, title: 'A key mints only keys that can do no more than itself' },
  'key.revoked': { status: 409, title: 'The key is revoked' },
  'key.already_rotated': { status: 409, title: 'The key was rotated already' },

  'run.transition_refused': { status: 409, title: 'The run does not move that way' },
  'run.final': { status: 409, title: 'The run has ended' },
  'run.active': { status: 409, title: 'The run is still active' },
  'run.deleted': { status: 410, title: 'The run was deleted' },
  'run.lease_lost': { status: 409, title: 'The token does not hold the lease' },
  'run.approvals_open': { status: 409, title: 'The run waits for decisions' },
  'step.transition_refused': { status: 409, title: 'The step does not move that way' },
  'tool_call.transition_refused': { status: 409, title: 'The tool call does not move that way' },
  'approval.decided': { status: 409, title: 'The approval is decided already' },
  'approval.stale': { status: 409, title: 'The decision is about other arguments' },
  already_completed: { status: 409, title: 'It was completed with other content' },

  too_many_items: { status: 429, title: 'More was sent than may be sent at once' },
  too_many_streams: { status: 429, title: 'The key has as many streams open as it may' },
  too_many_bulk_actions: { status: 429, title: 'The key has as many bulk actions open as it may' },

  internal: { status: 500, title: 'The server failed' },
  unavailable: { status: 503, title: 'The service is not available right now' },
  timeout: { status: 503, title: 'The request took too long' },
} as const satisfies Record<string, Problem>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a request: where, as an RFC 6901 pointer into the body or `?name` of a parameter, and what. */
export interface RequestFault {
  pointer: string;
  detail: string;
}
