import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RunRow } from '../run-row.js';
import { VISIBLE_RUN } from './run-columns.js';

/** What is left to be said of a run that is gone. */
export type GoneRun = Pick<RunRow, 'id' | 'project_id' | 'agent_id' | 'status'>;

const deleteRun = sql<GoneRun>(
  'delete-run',
  `WITH gone AS (
     DELETE FROM runs WHERE ${VISIBLE_RUN} AND id = $4 AND ($5 OR status NOT IN ('running', 'waiting_human'))
     RETURNING tenant_id, id, project_id, agent_id, status
   ), tombstone AS (
     INSERT INTO deleted_runs (tenant_id, run_id, project_id, agent_id)
     SELECT tenant_id, id, project_id, agent_id FROM gone
     ON CONFLICT (tenant_id, run_id, project_id, agent_id) DO UPDATE SET deleted_at = now()
   )
   SELECT id, project_id, agent_id, status FROM gone`,
);

/**
 * Deletes a run with all that is below it and leaves a tombstone, which refuses late writes for a day. An active
 * run is left alone unless `force`. Undefined when nothing was deleted.
 */
export async function removeRun(tx: Transaction, id: string, force: boolean): Promise<GoneRun | undefined> {
  return tx.row(deleteRun, [...scopeColumns(tx.scope), id, force]);
}
