import type { ClientBase } from 'pg';

/**
 * Every row of every table as text, in whatever schema it is, Postgres' own included: what a dump would hold. Needs a
 * superuser, past row security.
 */
export async function wholeText(client: ClientBase): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'm') AND relnamespace <> 'pg_toast'::regnamespace AND relpersistence <> 't'`,
  );
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
