import type { RunEventType } from '@agentflow/contracts';
import type { RunEventRow } from './run-log-row.js';

/** A place among the events of all runs: behind an event, or before all of a transaction. */
export interface EventPlace {
  xid: number;
  runId: string;
  seq: number;
}

/** An event of one of many runs, and its place. */
export interface SettledEventRow extends RunEventRow {
  run_id: string;
  xid: number;
}

/** Which of the events that a scope sees are wanted. */
export interface EventFilters {
  types?: readonly RunEventType[];
  project_id?: string;
  agent_id?: string;
}

/** How far transactions are over. */
export interface Horizon {
  /** Every transaction below is over. */
  settled: number;
  /** No transaction from here on has begun. */
  unbegun: number;
  /** Something of the tenant's is committed that has to wait for an older transaction. */
  is_held: boolean;
}

const NO_RUN = '00000000-0000-0000-0000-000000000000';

/** Before everything that a transaction wrote. */
export const before = (xid: number): EventPlace => ({ xid, runId: NO_RUN, seq: 0 });

export const behind = ({ xid, run_id, seq }: SettledEventRow): EventPlace => ({ xid, runId: run_id, seq });
