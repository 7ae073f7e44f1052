import type { ClientBase } from 'pg';

/** Each table's content as one word: equal before and after means that nothing was written, changed or removed. */
export type Digests = Readonly<Record<string, string>>;

/** When a key was last used is no content: it is written down now and then, whatever the request was answered. */
const CONTENT = `(to_jsonb(t) - 'last_used_at')::text`;

/** The content of all tables, or of one organization's rows in them; as the superuser sees it. */
export async function tableDigests(client: ClientBase, tenantId?: string): Promise<Digests> {
  const { rows: tables } = await client.query<{ name: string; tenant: string }>(
    `SELECT c.relname AS name, a.attname AS tenant FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
       AND a.attname = CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'tenant_id' END
     ORDER BY c.relname`,
  );
  const each = tables.map(
    ({ name, tenant }) =>
      `SELECT '${name}' AS name, count(*) || ' ' || coalesce(md5(string_agg(${CONTENT}, '' ORDER BY ${CONTENT})), '')
         AS digest FROM ${name} t WHERE $1::uuid IS NULL OR ${tenant} = $1`,
  );
  const { rows } = await client.query<{ name: string; digest: string }>(each.join(' UNION ALL '), [
    tenantId ?? null,
  ]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
