import { sql, type Database } from '@agentflow/database';

const interrupted = sql<{ tenant_id: string; id: string }>(
  'find-interrupted-deletions',
  `SELECT tenant_id, id FROM agents WHERE deleting_since < now() - interval '5 minutes' ORDER BY deleting_since LIMIT 100`,
);

/** Agents whose deletion began a while ago and has not come to its end: whoever asked for it is gone. */
export function findInterruptedDeletions(database: Database): Promise<{ tenant_id: string; id: string }[]> {
  return database.unscoped(interrupted);
}
