import { sql, type Database } from '@agentflow/database';

const BATCH = 1_000;

const expiredKeys = sql<{ forgotten: number }>(
  'forget-idempotency-keys',
  `WITH gone AS (
     DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours' AND ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours'
       ORDER BY created_at LIMIT ${BATCH}))
     RETURNING 1
   )
   SELECT count(*)::integer AS forgotten FROM gone`,
);

const expiredTombstones = sql<{ forgotten: number }>(
  'forget-deleted-runs',
  `WITH gone AS (
     DELETE FROM deleted_runs WHERE deleted_at < now() - interval '24 hours' AND ctid = ANY (ARRAY(
       SELECT ctid FROM deleted_runs WHERE deleted_at < now() - interval '24 hours'
       ORDER BY deleted_at LIMIT ${BATCH}))
     RETURNING 1
   )
   SELECT count(*)::integer AS forgotten FROM gone`,
);

/**
 * Removes what nobody is answered from any more: idempotency keys and tombstones that are older than a day, of all
 * tenants, in batches that commit one by one, the last of them when it is told to stop.
 *
 * A second worker finds what the first has left. A row that is taken anew while a batch waits for it stays: its age is
 * asked once more of what it has become, which not every version of Postgres does with a `ctid`.
 */
export async function forgetExpired(
  database: Database,
  stopping: AbortSignal,
): Promise<{ keys: number; tombstones: number }> {
  const keys = await drain(database, expiredKeys, stopping);
  return { keys, tombstones: await drain(database, expiredTombstones, stopping) };
}

async function drain(
  database: Database,
  statement: typeof expiredKeys,
  stopping: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    const [row] = await database.unscoped(statement);
    const forgotten = row?.forgotten ?? 0;
    total += forgotten;
    if (forgotten < BATCH || stopping.aborted) return total;
  }
}
