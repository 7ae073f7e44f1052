import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import { VISIBLE_RUN } from './run-columns.js';

/** A pending run, and what whoever picks it up begins with. */
export interface OfferedRun {
  id: string;
  parent_run_id: string | null;
  from_checkpoint_id: string | null;
  reuse: 'recorded_tool_results' | null;
}

const offered = sql<OfferedRun>(
  'hold-offered-run',
  `SELECT id, parent_run_id, from_checkpoint_id, reuse FROM runs
   WHERE ${VISIBLE_RUN} AND agent_id = $4 AND status = 'pending' AND lease_token IS NULL
   ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
);

/**
 * Holds the oldest pending run of an agent that nobody else holds and that nobody was given a lease of
 * (`ix_runs_offered`). Each of several at once gets another run, or none.
 */
export async function holdOfferedRun(tx: Transaction, agentId: string): Promise<OfferedRun | undefined> {
  return tx.row(offered, [...scopeColumns(tx.scope), agentId]);
}

/** A tool call of the source that succeeded, as whoever goes on may use its result again. */
export interface RecordedCall {
  call_id: string;
  name: string;
  arguments: RawJson | null;
  result: RawJson | null;
}

/** How many recorded calls are handed out at once, and how many bytes of them. */
const MOST_CALLS = 500;
const MOST_BYTES = 8_388_608;

const recorded = sql<RecordedCall & { is_within: boolean }>(
  'find-recorded-calls',
  `SELECT call_id, name, arguments, result,
     sum(octet_length(coalesce(arguments::text, '')) + octet_length(coalesce(result::text, '')))
       OVER (ORDER BY created_at, call_id) <= ${MOST_BYTES} AS is_within
   FROM (
     SELECT id AS call_id, name, arguments, result, status, created_at FROM tool_calls
     WHERE tenant_id = $1 AND run_id = $2 ORDER BY created_at, id
   ) AS calls
   WHERE status = 'succeeded' AND created_at <= coalesce((
     SELECT created_at FROM checkpoints WHERE tenant_id = $1 AND run_id = $2 AND id = $3), 'infinity')
   ORDER BY created_at, call_id LIMIT ${MOST_CALLS} + 1`,
);

/**
 * The succeeded tool calls of a run that were made up to a checkpoint, or all of them, in the order in which they came;
 * and whether these are all that there are. The run has to be one that the caller sees.
 */
export async function findRecordedCalls(
  tx: Transaction,
  runId: string,
  checkpointId: string | null,
): Promise<{ calls: RecordedCall[]; isComplete: boolean }> {
  const rows = await tx.rows(recorded, [tx.scope.tenantId, runId, checkpointId]);
  const calls = rows.slice(0, MOST_CALLS).filter(({ is_within }) => is_within);
  return { calls, isComplete: calls.length === rows.length };
}
