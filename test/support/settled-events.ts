import { connected, type TestDatabase } from './database.js';

const UNSETTLED =
  'SELECT FROM run_events WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint LIMIT 1';

/**
 * Waits until all events of a database are settled. A stream of all runs begins there, so a transaction of anybody's in the
 * cluster (another suite's, or autovacuum's) lets it begin with what was written before. The test's own limit ends the waiting.
 */
export async function untilEventsAreSettled(database: Pick<TestDatabase, 'adminUrl'>): Promise<void> {
  await connected(database.adminUrl, async (client) => {
    while ((await client.query(UNSETTLED)).rowCount !== 0);
  });
}
