import type { ClientBase } from 'pg';

/** The tables in which some row contains that text, whatever the column; as the superuser sees them. */
export async function tablesContaining(client: ClientBase, text: string): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const found = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
      text,
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}
