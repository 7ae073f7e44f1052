import { failureOf } from '../failure.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions, Transport } from '../http/transport.js';
import type { StepCompletion, StepOutcome, StepRecord, StepUpdate } from '../types.js';
import { now } from './moments.js';

/** A step under way. The first completion wins; the same one again changes nothing. */
export class Step {
  readonly #transport: Transport;
  #endedAt: string | undefined;

  constructor(
    transport: Transport,
    readonly runId: string,
    readonly id: string,
  ) {
    this.#transport = transport;
  }

  /** Changes what is given and nothing else. */
  update(params: StepUpdate, options?: CallOptions): ApiPromise<StepRecord> {
    const route = ['runs', this.runId, 'steps', this.id];
    return this.#transport.call({ method: 'PATCH', route, body: params }, options);
  }

  /** Ends the step, well unless another final status is given. */
  complete(params: StepCompletion = {}, options?: CallOptions): ApiPromise<StepRecord> {
    this.#endedAt ??= now(); // kept, so that the same completion again is the same
    return this.update({ status: 'succeeded', ended_at: this.#endedAt, ...params }, options);
  }

  succeed(params: StepOutcome = {}, options?: CallOptions): ApiPromise<StepRecord> {
    return this.complete({ ...params, status: 'succeeded' }, options);
  }

  /** Ends the step badly, by what was thrown or by the members of the request. */
  fail(reason: Error | string | StepOutcome, options?: CallOptions): ApiPromise<StepRecord> {
    return this.complete({ ...failureOf(reason), status: 'failed' }, options);
  }
}
