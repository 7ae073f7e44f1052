import { connected, type TestDatabase } from '../database.js';

/** What every table holds, as one digest each: two that are equal mean that nothing was written in between. */
export async function everythingStored({ adminUrl }: TestDatabase): Promise<Record<string, string>> {
  return connected(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const stored: Record<string, string> = {};
    for (const { name } of rows) {
      const digest = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM ${name} t`,
      );
      stored[name] = digest.rows[0]?.digest ?? '0';
    }
    return stored;
  });
}
