import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { newId } from '../ids.js';
import { listAt, type List } from '../list.js';
import type {
  GetRunQuery,
  HeldRunRecord,
  ListRunsQuery,
  RunDetail,
  RunSummary,
  StartRunParams,
} from '../types.js';
import { Run } from './run.js';
import { Checkpoints, Messages, Steps, ToolCalls, getRun } from './run-reads.js';

/** Runs: starting one, and reading what there is. */
export class Runs {
  readonly steps: Steps;
  readonly messages: Messages;
  readonly toolCalls: ToolCalls;
  readonly checkpoints: Checkpoints;

  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.steps = new Steps(transport);
    this.messages = new Messages(transport);
    this.toolCalls = new ToolCalls(transport);
    this.checkpoints = new Checkpoints(transport);
  }

  /** Creates a run and starts it, unless `start` is false; its handle reports what happens in it. */
  async start(params: StartRunParams, options?: CallOptions): Promise<Run> {
    const body = { ...params, id: params.id ?? newId(), start: params.start ?? true };
    const run = await this.#transport.call<HeldRunRecord>({ method: 'POST', route: ['runs'], body }, options);
    return new Run(this.#transport, run.id, run.lease_token ?? undefined);
  }

  /** The handle of a run that exists, without asking for it; heartbeats need the token of its lease. */
  attach(runId: string, { leaseToken }: { leaseToken?: string } = {}): Run {
    return new Run(this.#transport, runId, leaseToken);
  }

  /** One run; with `include`, the first 50 of what belongs to it. */
  get(runId: string, query?: GetRunQuery, options?: CallOptions): ApiPromise<RunDetail> {
    return getRun(this.#transport, runId, query, options);
  }

  /** The runs that the key sees, newest first, without payloads. */
  list(query: ListRunsQuery = {}, options?: CallOptions): List<RunSummary> {
    return listAt(this.#transport, ['runs'], query, options);
  }
}
