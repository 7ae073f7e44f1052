import { gathered, sql, type Database, type Transaction } from '@agentflow/database';
import type { FoundRun } from '../fail-runs.js';

/** How many are looked for at once. */
export const MOST_SILENT = 500;

/**
 * What another reporter began, that runs, and of which nothing was received for so long, by the database's clock. What was
 * received and said nothing new changes no run, so the reports themselves are asked as well.
 */
const isSilent = (seconds: string): string => {
  const since = `now() - make_interval(secs => ${seconds})`;
  return `from_trace AND status = 'running' AND lease_token IS NULL AND created_at < ${since} AND updated_at < ${since}
    AND NOT EXISTS (SELECT FROM received_reports AS report
      WHERE report.tenant_id = runs.tenant_id AND report.run_id = runs.id AND report.received_at >= ${since})`;
};

const silent = sql<FoundRun>(
  'find-silent-traces',
  `SELECT tenant_id, id FROM runs WHERE ${isSilent('$1')} ORDER BY created_at LIMIT ${MOST_SILENT}`,
);

/** Such runs of all tenants, the oldest first. It reads the open traces by an index of their own, and no other run. */
export function findSilentTraces(database: Database, patienceSeconds: number): Promise<FoundRun[]> {
  return database.unscoped(silent, [patienceSeconds]);
}

const hold = sql<{ id: string }>(
  'hold-silent-traces',
  `SELECT held.id FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT id FROM runs WHERE tenant_id = $1 AND id = wanted.id AND ${isSilent('$3')}
     FOR NO KEY UPDATE SKIP LOCKED) held`,
);

/** Holds the run if it is silent still; whoever else holds it has something to say about it, or ends it. */
export const holdSilentTrace = gathered<{ id: string; patienceSeconds: number }, boolean>({
  writes: false,
  carryOut: async (tx: Transaction, traces) => {
    const ids = traces.map(({ id }) => id);
    const rows = await tx.rows(hold, [tx.scope.tenantId, ids, traces[0]?.patienceSeconds]);
    return ids.map((wanted) => rows.some(({ id }) => id === wanted));
  },
});
