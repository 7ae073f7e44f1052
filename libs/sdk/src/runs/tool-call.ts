import { failureOf } from '../failure.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions, Transport } from '../http/transport.js';
import type { ToolCallCompletion, ToolCallOutcome, ToolCallRecord } from '../types.js';
import { now } from './moments.js';

/** A tool call under way. The first completion wins; the same one again changes nothing. */
export class ToolCall {
  readonly #transport: Transport;
  #endedAt: string | undefined;

  constructor(
    transport: Transport,
    readonly runId: string,
    /** The `call_id` that pairs the beginning of the call with its end. */
    readonly id: string,
  ) {
    this.#transport = transport;
  }

  /** Ends the call: with an `error` badly, else well, unless another final status is given. */
  complete(params: ToolCallCompletion = {}, options?: CallOptions): ApiPromise<ToolCallRecord> {
    this.#endedAt ??= now(); // kept, so that the same completion again is the same
    const body = { ended_at: this.#endedAt, ...params };
    const route = ['runs', this.runId, 'tool-calls', this.id];
    return this.#transport.call({ method: 'PATCH', route, body }, options);
  }

  succeed(params: ToolCallOutcome = {}, options?: CallOptions): ApiPromise<ToolCallRecord> {
    return this.complete({ ...params, status: 'succeeded' }, options);
  }

  /** Ends the call badly, by what was thrown or by the members of the request. */
  fail(reason: Error | string | ToolCallOutcome, options?: CallOptions): ApiPromise<ToolCallRecord> {
    return this.complete({ ...failureOf(reason), status: 'failed' }, options);
  }
}
