import { connected, type TestDatabase } from './database.js';

/** Who listens is at rest behind its `LISTEN`, or behind what it asked or told since. */
const LISTENING = `FROM pg_stat_activity
  WHERE application_name = 'agentflow events' AND datname = current_database() AND state = 'idle' AND query <> ''`;

/**
 * Ends the connections by which the instances over a database hear of each other, as soon as each of so many listens, and returns
 * when they are gone. The test's own limit ends the waiting otherwise.
 */
export function killListeners(database: TestDatabase, count: number): Promise<void> {
  return connected(database.adminUrl, async (client) => {
    while ((await client.query(`SELECT ${LISTENING}`)).rowCount !== count);
    const { rows } = await client.query(`SELECT pg_terminate_backend(pid, 10000) AS killed ${LISTENING}`);
    if (rows.length !== count || !rows.every(({ killed }) => killed === true))
      throw new Error(`of ${count} listeners, these were killed: ${JSON.stringify(rows)}`);
  });
}
