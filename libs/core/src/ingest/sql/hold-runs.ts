import { column, scopeColumns, sql, type Transaction } from '@agentflow/database';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';
import type { RunRow } from '../../runs/run-row.js';

/** A run as far as a batch has to know it, while it is held. */
export type HeldRun = Pick<
  RunRow,
  | 'id'
  | 'project_id'
  | 'agent_id'
  | 'agent_version'
  | 'adapter'
  | 'status'
  | 'name'
  | 'input'
  | 'output'
  | 'error'
  | 'error_type'
  | 'metadata'
  | 'tags'
  | 'session_id'
  | 'external_id'
  | 'parent_run_id'
  | 'origin'
  | 'started_at'
  | 'ended_at'
  | 'last_move'
  | 'waiting_for'
  | 'resume_input'
  | 'next_step_index'
  | 'next_message_index'
> & {
  announced: boolean;
  moved_at: string | null;
  from_trace: boolean;
  ended_by_trace: boolean;
  next_checkpoint_index: number;
  last_event_seq: number;
  last_event_xid: number;
};

/** Columns that may be large, and are needed by what is said of the run itself only. */
const LARGE = ['input', 'output', 'waiting_for', 'resume_input'];

const SMALL = `id, project_id, agent_id, agent_version, adapter, status, name, error, error_type, metadata, tags,
  session_id, external_id, parent_run_id, origin, started_at, ended_at, last_move, announced, moved_at, from_trace, ended_by_trace,
  next_step_index, next_message_index, next_checkpoint_index, last_event_seq, last_event_xid`;

/** A trace that failed may be written anew, whatever is said of it: that may have been presumed. */
const IS_WHOLE = `wanted.whole OR from_trace AND status = 'failed'`;

const hold = sql<HeldRun>(
  'hold-runs',
  `SELECT held.* FROM unnest($4::uuid[], $5::boolean[]) AS wanted (id, whole) CROSS JOIN LATERAL (
     SELECT ${SMALL}, ${LARGE.map((name) => `CASE WHEN ${IS_WHOLE} THEN ${name} END AS ${name}`).join(', ')}
     FROM runs WHERE ${VISIBLE_RUN} AND id = wanted.id FOR NO KEY UPDATE) held`,
);

/**
 * Holds those of the runs that the scope sees, in the order of their ids: two batches never wait for each other. Only
 * of the `whole` ones the payloads are read.
 */
export async function holdRuns(
  tx: Transaction,
  ids: readonly string[],
  whole: ReadonlySet<string>,
): Promise<HeldRun[]> {
  const sorted = [...ids].sort();
  const flags = sorted.map((id) => whole.has(id));
  return tx.rows(hold, [...scopeColumns(tx.scope), sorted, column('boolean', flags)]);
}
