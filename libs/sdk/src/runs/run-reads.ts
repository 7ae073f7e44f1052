import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { listAt, type List } from '../list.js';
import type {
  CheckpointRecord,
  CheckpointSummary,
  GetRunQuery,
  ListQuery,
  ListToolCallsQuery,
  MessageRecord,
  RunDetail,
  StepRecord,
  ToolCallRecord,
} from '../types.js';

/** A run by its id. */
export function getRun(
  transport: Transport,
  runId: string,
  { include = [] }: GetRunQuery = {},
  options?: CallOptions,
): ApiPromise<RunDetail> {
  const query = include.length === 0 ? {} : { include };
  return transport.call({ method: 'GET', route: ['runs', runId], query }, options);
}

export class Steps {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The steps of a run by index. */
  list(runId: string, query: ListQuery = {}, options?: CallOptions): List<StepRecord> {
    return listAt(this.#transport, ['runs', runId, 'steps'], query, options);
  }

  get(runId: string, stepId: string, options?: CallOptions): ApiPromise<StepRecord> {
    return this.#transport.call({ method: 'GET', route: ['runs', runId, 'steps', stepId] }, options);
  }
}

export class Messages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The messages of a run by index. */
  list(runId: string, query: ListQuery = {}, options?: CallOptions): List<MessageRecord> {
    return listAt(this.#transport, ['runs', runId, 'messages'], query, options);
  }
}

export class ToolCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The tool calls of a run in the order in which they came. */
  list(runId: string, query: ListToolCallsQuery = {}, options?: CallOptions): List<ToolCallRecord> {
    return listAt(this.#transport, ['runs', runId, 'tool-calls'], query, options);
  }

  get(runId: string, callId: string, options?: CallOptions): ApiPromise<ToolCallRecord> {
    return this.#transport.call({ method: 'GET', route: ['runs', runId, 'tool-calls', callId] }, options);
  }
}

export class Checkpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The checkpoints of a run by index, without their states. */
  list(runId: string, query: ListQuery = {}, options?: CallOptions): List<CheckpointSummary> {
    return listAt(this.#transport, ['runs', runId, 'checkpoints'], query, options);
  }

  /** One checkpoint with its state. */
  get(runId: string, index: number, options?: CallOptions): ApiPromise<CheckpointRecord> {
    return this.#transport.call(
      { method: 'GET', route: ['runs', runId, 'checkpoints', String(index)] },
      options,
    );
  }

  /** The checkpoint with the highest index, with its state. */
  latest(runId: string, options?: CallOptions): ApiPromise<CheckpointRecord> {
    return this.#transport.call({ method: 'GET', route: ['runs', runId, 'checkpoints', 'latest'] }, options);
  }
}
