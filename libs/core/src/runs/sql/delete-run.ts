import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { VISIBLE_RUN } from './run-columns.js';

const deleteRun = sql<{ id: string }>(
  'delete-run',
  `WITH gone AS (
     DELETE FROM runs WHERE ${VISIBLE_RUN} AND id = $4 AND ($5 OR status NOT IN ('running', 'waiting_human'))
     RETURNING tenant_id, id, project_id, agent_id
   ), tombstone AS (
     INSERT INTO deleted_runs (tenant_id, run_id, project_id, agent_id)
     SELECT tenant_id, id, project_id, agent_id FROM gone
     ON CONFLICT (tenant_id, run_id, project_id, agent_id) DO UPDATE SET deleted_at = now()
   )
   SELECT id FROM gone`,
);

/**
 * Deletes a run with all that is below it and leaves a tombstone, which refuses late writes for a day. An active
 * run is left alone unless `force`. `false` when nothing was deleted.
 */
export async function removeRun(tx: Transaction, id: string, force: boolean): Promise<boolean> {
  return (await tx.row(deleteRun, [...scopeColumns(tx.scope), id, force])) !== undefined;
}
