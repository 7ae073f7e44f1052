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
       OVER (ORDER BY created_at, started_at, call_id) <= ${MOST_BYTES} AS is_within
   FROM (
     SELECT id AS call_id, name, arguments, result, status, created_at, started_at, ended_at FROM tool_calls
     WHERE tenant_id = $1 AND run_id = $2 ORDER BY created_at, id
   ) AS calls LEFT JOIN (
     SELECT at, created_at AS came_at FROM checkpoints WHERE tenant_id = $1 AND run_id = $2 AND id = $3
   ) AS checkpoint ON true
   WHERE status = 'succeeded' AND CASE
     WHEN at IS NOT NULL THEN started_at < at OR ended_at <= at
     ELSE created_at <= coalesce(came_at, 'infinity') END
   ORDER BY created_at, started_at, call_id LIMIT ${MOST_CALLS} + 1`,
);

/**
 * The succeeded tool calls of a run that were made up to a checkpoint, or all of them, in the order in which they came, and
 * within a batch in that of their starts; and whether these are all that there are. The run has to be one that the caller
 * sees.
 *
 * A checkpoint that came in a batch is dated by its reporter, and so are the calls: batches come in any order, and have the
 * calls before and behind it together. Any other stands where it came.
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
