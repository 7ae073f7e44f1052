import { gathered, sql, type Database } from '@agentflow/database';
import type { FoundRun } from '../fail-runs.js';

/** How many are looked for at once. */
export const MOST_EXPIRED = 500;

const expired = sql<FoundRun>(
  'find-expired-leases',
  `SELECT tenant_id, id FROM runs WHERE status = 'running' AND lease_expires_at <= now()
   ORDER BY lease_expires_at LIMIT ${MOST_EXPIRED}`,
);

/**
 * Runs of all tenants whose holder was to be heard of by now, by the database's clock; those that expired first. It reads
 * them by an index of their own, and no other run. A run that waits for a person is not under way, and is none of them.
 */
export function findExpiredLeases(database: Database): Promise<FoundRun[]> {
  return database.unscoped(expired);
}

/** Asked in a form that the index of all expired leases cannot serve, which each of them would go through anew. */
const hold = sql<{ id: string }>(
  'hold-expired-leases',
  `SELECT held.id FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT id FROM runs WHERE tenant_id = $1 AND id = wanted.id
       AND CASE status WHEN 'running' THEN lease_expires_at <= now() END
     FOR NO KEY UPDATE SKIP LOCKED) held`,
);

/** Holds the run if its lease has expired still; whoever else holds it writes to it, or ends it. */
export const holdExpiredLease = gathered<string, boolean>({
  writes: false,
  carryOut: async (tx, ids) => {
    const rows = await tx.rows(hold, [tx.scope.tenantId, ids]);
    return ids.map((wanted) => rows.some(({ id }) => id === wanted));
  },
});
