import { gathered, sql, type Slice, type Transaction } from '@agentflow/database';
import { rowOfEach } from '../../reporting/row-of-each.js';
import type { StepRow } from '../step-row.js';
import { STEP_COLUMNS } from './step-columns.js';

const byId = sql<StepRow>(
  'find-steps',
  `SELECT step.* FROM unnest($2::uuid[], $3::uuid[]) AS wanted (run_id, id) CROSS JOIN LATERAL (
     SELECT ${STEP_COLUMNS} FROM steps
     WHERE tenant_id = $1 AND run_id = wanted.run_id AND id = wanted.id LIMIT 1) step`,
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

/** A step of a run; the run has to be one that the caller sees. */
export const findStep = gathered<Pick<StepRow, 'run_id' | 'id'>, StepRow | undefined>({
  writes: false,
  carryOut: async (tx, wanted) => {
    const runs = wanted.map(({ run_id }) => run_id);
    const rows = await tx.rows(byId, [tx.scope.tenantId, runs, wanted.map(({ id }) => id)]);
    return rowOfEach(wanted, rows);
  },
});

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
