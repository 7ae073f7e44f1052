import { AgentFlowError } from '../errors.js';
import { failureOf } from '../failure.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { newId } from '../ids.js';
import type {
  CancelParams,
  CheckpointParams,
  CheckpointRecord,
  FailParams,
  GetRunQuery,
  Heartbeat,
  HeldRunRecord,
  MessageParams,
  MessageRecord,
  ResumeParams,
  RunDetail,
  RunRecord,
  StartParams,
  StepParams,
  StepRecord,
  SucceedParams,
  ToolCallParams,
  ToolCallRecord,
  WaitParams,
} from '../types.js';
import { withStart } from './moments.js';
import { getRun } from './run-reads.js';
import { Step } from './step.js';
import { ToolCall } from './tool-call.js';

/**
 * A run under way. Each method is one call that is carried out once, however often it has to be sent: what is
 * created has an id from here, and what moves the run carries a key.
 */
export class Run {
  readonly #transport: Transport;

  constructor(
    transport: Transport,
    readonly id: string,
    /** Proves in heartbeats who holds the lease; `undefined` without `lease_seconds`. */
    public leaseToken: string | undefined,
  ) {
    this.#transport = transport;
  }

  /** Adds a step, `running` unless its status is given; its handle completes it. */
  async step(params: StepParams, options?: CallOptions): Promise<Step> {
    const { id } = await this.#create<StepRecord>('steps', withStart(params), options);
    return new Step(this.#transport, this.id, id);
  }

  /** Adds a tool call, `running` unless it says how it ended; its handle completes it. */
  async toolCall(params: ToolCallParams, options?: CallOptions): Promise<ToolCall> {
    const { id } = await this.#create<ToolCallRecord>('tool-calls', withStart(params), options);
    return new ToolCall(this.#transport, this.id, id);
  }

  /** Adds a message, after those that are there. */
  message(params: MessageParams, options?: CallOptions): ApiPromise<MessageRecord> {
    return this.#create('messages', params, options);
  }

  /** Keeps a state to resume or fork from. */
  checkpoint(params: CheckpointParams, options?: CallOptions): ApiPromise<CheckpointRecord> {
    return this.#create('checkpoints', params, options);
  }

  /** Starts a run that was created with `start: false`. */
  async start(params: StartParams = {}, options?: CallOptions): Promise<HeldRunRecord> {
    const run = await this.#move<HeldRunRecord>('start', params, options);
    this.leaseToken = run.lease_token ?? undefined;
    return run;
  }

  /** Ends the run well. */
  succeed(params: SucceedParams = {}, options?: CallOptions): ApiPromise<RunRecord> {
    return this.#move('succeed', params, options);
  }

  /** Ends the run badly, by what was thrown or by the members of the request. */
  fail(reason: Error | string | FailParams, options?: CallOptions): ApiPromise<RunRecord> {
    return this.#move('fail', failureOf(reason), options);
  }

  /** Pauses the run until a person answers. */
  wait(params: WaitParams = {}, options?: CallOptions): ApiPromise<RunRecord> {
    return this.#move('wait', params, options);
  }

  /** Lets the waiting run go on. Takes a key that may control runs. */
  resume(params: ResumeParams = {}, options?: CallOptions): ApiPromise<RunRecord> {
    return this.#move('resume', params, options);
  }

  /** Calls the run off. Takes a key that may control runs. */
  cancel(params: CancelParams = {}, options?: CallOptions): ApiPromise<RunRecord> {
    return this.#move('cancel', params, options);
  }

  /** Prolongs the lease, and tells whether the run was called off. */
  async heartbeat(options?: CallOptions): Promise<Heartbeat> {
    if (this.leaseToken === undefined) {
      throw new AgentFlowError('The run has no lease: start it with lease_seconds, or attach with its token');
    }
    const body = { lease_token: this.leaseToken };
    return this.#transport.call({ method: 'POST', route: ['runs', this.id, 'heartbeat'], body }, options);
  }

  /** The run as it is stored; with `include`, the first 50 of what belongs to it. */
  get(query?: GetRunQuery, options?: CallOptions): ApiPromise<RunDetail> {
    return getRun(this.#transport, this.id, query, options);
  }

  #create<T>(kind: string, params: { id?: string }, options: CallOptions | undefined): ApiPromise<T> {
    const body = { ...params, id: params.id ?? newId() };
    return this.#transport.call({ method: 'POST', route: ['runs', this.id, kind], body }, options);
  }

  #move<T>(command: string, body: object, options: CallOptions | undefined): ApiPromise<T> {
    const route = ['runs', this.id, command];
    return this.#transport.call({ method: 'POST', route, body, isKeyed: true }, options);
  }
}
