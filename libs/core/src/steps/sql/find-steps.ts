import { sql, type Slice, type Transaction } from '@agentflow/database';
import type { StepRow } from '../step-row.js';
import { STEP_COLUMNS } from './step-columns.js';

const byIds = sql<StepRow>(
  'find-steps',
  `SELECT ${STEP_COLUMNS} FROM steps WHERE tenant_id = $1 AND run_id = $2 AND id = ANY ($3::uuid[])`,
);
const ascending = sql<StepRow>(
  'list-steps',
  `SELECT ${STEP_COLUMNS} FROM steps WHERE tenant_id = $1 AND run_id = $2 AND index > $3 ORDER BY index LIMIT $4`,
);
const descending = sql<StepRow>(
  'list-steps-backwards',
  `SELECT ${STEP_COLUMNS} FROM steps WHERE tenant_id = $1 AND run_id = $2 AND index < $3
   ORDER BY index DESC LIMIT $4`,
);

/** The steps of a run that have these ids; the run has to be one that the caller sees. */
export async function findSteps(tx: Transaction, runId: string, ids: readonly string[]): Promise<StepRow[]> {
  return tx.rows(byIds, [tx.scope.tenantId, runId, ids]);
}

const existence = sql<{ id: string }>(
  'has-step',
  `SELECT id FROM steps WHERE tenant_id = $1 AND run_id = $2 AND id = $3`,
);

/** Whether the run has this step; nothing named is nothing missing. */
export async function hasStep(tx: Transaction, runId: string, id: string | undefined): Promise<boolean> {
  return id === undefined || (await tx.row(existence, [tx.scope.tenantId, runId, id])) !== undefined;
}

/** A run's steps by index; the run has to be one that the caller sees. */
export async function listSteps(
  tx: Transaction,
  runId: string,
  slice: Slice,
  order: 'asc' | 'desc',
): Promise<StepRow[]> {
  const [statement, start] = order === 'asc' ? [ascending, -1] : [descending, 2 ** 31 - 1];
  return tx.rows(statement, [tx.scope.tenantId, runId, slice.after?.[0] ?? start, slice.limit]);
}
