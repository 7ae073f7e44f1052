import { sql, type Slice, type Transaction } from '@agentflow/database';
import type { CheckpointRow, CheckpointSummaryRow } from '../checkpoint-row.js';
import { CHECKPOINT_SUMMARY_COLUMNS } from './insert-checkpoints.js';

const whole = `SELECT ${CHECKPOINT_SUMMARY_COLUMNS}, state FROM checkpoints WHERE tenant_id = $1 AND run_id = $2`;
const byId = sql<CheckpointRow>('find-checkpoint', `${whole} AND id = $3`);
// The order has it read `ix_checkpoints_run_index`; by estimates alone the primary key of the run would do as well.
const byIndex = sql<CheckpointRow>(
  'find-checkpoint-by-index',
  `SELECT * FROM (${whole} AND index >= $3 ORDER BY index LIMIT 1) next WHERE index = $3`,
);
const latest = sql<CheckpointRow>('find-latest-checkpoint', `${whole} ORDER BY index DESC LIMIT 1`);

const part = `SELECT ${CHECKPOINT_SUMMARY_COLUMNS} FROM checkpoints WHERE tenant_id = $1 AND run_id = $2`;
const ascending = sql<CheckpointSummaryRow>(
  'list-checkpoints',
  `${part} AND index > $3 ORDER BY index LIMIT $4`,
);
const descending = sql<CheckpointSummaryRow>(
  'list-checkpoints-backwards',
  `${part} AND index < $3 ORDER BY index DESC LIMIT $4`,
);

/** A checkpoint of a run that the caller sees, by its id. */
export async function findCheckpoint(
  tx: Transaction,
  runId: string,
  id: string,
): Promise<CheckpointRow | undefined> {
  return tx.row(byId, [tx.scope.tenantId, runId, id]);
}

/** A checkpoint by its index, or the one with the highest. */
export async function findCheckpointAt(
  tx: Transaction,
  runId: string,
  index: number | 'latest',
): Promise<CheckpointRow | undefined> {
  const run = [tx.scope.tenantId, runId];
  return index === 'latest' ? tx.row(latest, run) : tx.row(byIndex, [...run, index]);
}

/** A run's checkpoints by index, without their states; the run has to be one that the caller sees. */
export async function listCheckpoints(
  tx: Transaction,
  runId: string,
  slice: Slice,
  order: 'asc' | 'desc',
): Promise<CheckpointSummaryRow[]> {
  const [statement, start] = order === 'asc' ? [ascending, -1] : [descending, 2 ** 31 - 1];
  return tx.rows(statement, [tx.scope.tenantId, runId, slice.after?.[0] ?? start, slice.limit]);
}
