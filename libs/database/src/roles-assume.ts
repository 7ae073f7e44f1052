import pg, { type ClientBase } from 'pg';
import { APP_ROLE, OWNER_ROLE, WORKER_ROLE } from './roles.js';

export type AssumableRole = typeof APP_ROLE | typeof WORKER_ROLE;

/** With this login row security would not hold, or cannot be proven to; the message says what to do. */
export class UnsafeRole extends Error {
  override readonly name = 'UnsafeRole';
}

/**
 * Decides what every transaction of a login must set `role` to, so that row security applies to it.
 *
 * `none` when the login is harmless as it is: neither it nor any role it could become is a superuser, bypasses row
 * security, owns a tenant's table, or is the other of the two roles (whose policies would widen what it sees);
 * and it has what was granted to the wanted role. Otherwise the wanted role, when the login may become it. In all
 * other cases, and when a table of tenants lacks forced row security, it throws `UnsafeRole`.
 */
export async function assumeRole(
  connection: ClientBase | string,
  wanted: AssumableRole,
): Promise<AssumableRole | 'none'> {
  if (typeof connection !== 'string') return decide(connection, wanted);
  const client = new pg.Client({ connectionString: connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await decide(client, wanted);
  } finally {
    await client.end();
  }
}

async function decide(client: ClientBase, wanted: AssumableRole): Promise<AssumableRole | 'none'> {
  const other = wanted === APP_ROLE ? WORKER_ROLE : APP_ROLE;
  const { rows } = await client.query<Facts>(FACTS, [wanted, OWNER_ROLE, other]);
  const facts = rows[0] as Facts;
  refuseUnsafe(facts, wanted);
  const role = choose(facts, wanted);
  const open = await openTables(client, role, wanted);
  if (open.length > 0) {
    throw new UnsafeRole(
      `Row security does not apply to ${role === 'none' ? facts.login : role} on: ${open.join(', ')}.`,
    );
  }
  return role;
}

interface Facts {
  login: string;
  exists: boolean;
  /** The login has the wanted role's privileges without becoming it. */
  inherits: boolean;
  may_become: boolean;
  /** The dangerous roles that the login, or the wanted role, is or could become. */
  login_reaches: string[];
  wanted_reaches: string[];
  tables: number;
  unforced: string[];
}

function refuseUnsafe(facts: Facts, wanted: AssumableRole): void {
  if (!facts.exists) {
    throw new UnsafeRole(`The role ${wanted} does not exist in this cluster. Run the migrations first.`);
  }
  if (facts.wanted_reaches.length > 0) {
    throw new UnsafeRole(
      `The role ${wanted} must be an ordinary one, and is or may become: ${facts.wanted_reaches.join(', ')}. ` +
        `Take that away (ALTER ROLE ${wanted} NOSUPERUSER NOBYPASSRLS; REVOKE … FROM ${wanted}).`,
    );
  }
  if (facts.tables === 0) {
    throw new UnsafeRole(`The role ${wanted} finds no tables in this database. Run the migrations first.`);
  }
  if (facts.unforced.length > 0) {
    throw new UnsafeRole(`Row security is not forced on: ${facts.unforced.join(', ')}.`);
  }
}

function choose(facts: Facts, wanted: AssumableRole): AssumableRole | 'none' {
  const harmless = facts.login_reaches.length === 0;
  if (harmless && facts.inherits) return 'none';
  if (facts.may_become) return wanted;
  const why = harmless
    ? `is not a member of ${wanted}`
    : `is or may become ${facts.login_reaches.join(', ')}, and may not become ${wanted}`;
  throw new UnsafeRole(
    `The login "${facts.login}" ${why}. Let an administrator run: GRANT ${wanted} TO ` +
      `${pg.escapeIdentifier(facts.login)}; or connect with a login that is a member of ${wanted} only.`,
  );
}

/** The proof: asks Postgres itself, as the role that transactions will have. */
async function openTables(client: ClientBase, role: string, wanted: AssumableRole): Promise<string[]> {
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(`SELECT set_config('role', $1, true)`, [role]);
    const { rows } = await client.query<{ name: string }>(OPEN, [wanted]);
    return rows.map(({ name }) => name);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The tables that hold tenants' rows and that the role can reach, wherever they are. */
const TENANT_TABLES = `
  tenant_table AS (
    SELECT c.oid, c.oid::regclass::text AS name, c.relowner, c.relrowsecurity AND c.relforcerowsecurity AS forced
    FROM pg_class c JOIN pg_roles r ON r.rolname = $1
    WHERE c.relkind IN ('r', 'p') AND has_any_column_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE')
      AND (c.oid = to_regclass('public.organizations') OR EXISTS (SELECT FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)))`;

const OPEN = `WITH ${TENANT_TABLES} SELECT name FROM tenant_table WHERE NOT row_security_active(oid) ORDER BY name`;

/** `pg_has_role(…, 'MEMBER')` follows every chain of memberships, inherited or not, and holds for the role itself. */
const FACTS = `
  WITH ${TENANT_TABLES},
  dangerous AS (
    SELECT oid, CASE WHEN rolsuper THEN rolname || ' (a superuser)'
      WHEN rolbypassrls THEN rolname || ' (bypasses row security)'
      WHEN rolname = $3 THEN rolname::text
      ELSE rolname || ' (owns tables)' END AS description
    FROM pg_roles
    WHERE rolsuper OR rolbypassrls OR rolname IN ($2, $3) OR oid IN (SELECT relowner FROM tenant_table))
  SELECT session_user AS login, w.oid IS NOT NULL AS exists,
    coalesce(pg_has_role(session_user, w.oid, 'USAGE'), false) AS inherits,
    coalesce(pg_has_role(session_user, w.oid,
      CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END), false)
      AS may_become,
    ARRAY(SELECT description FROM dangerous WHERE pg_has_role(session_user, oid, 'MEMBER') ORDER BY 1)
      AS login_reaches,
    ARRAY(SELECT description FROM dangerous WHERE pg_has_role(w.oid, dangerous.oid, 'MEMBER') ORDER BY 1)
      AS wanted_reaches,
    (SELECT count(*)::int FROM tenant_table) AS tables,
    ARRAY(SELECT name FROM tenant_table WHERE NOT forced ORDER BY 1) AS unforced
  FROM (VALUES (1)) AS one LEFT JOIN pg_roles w ON w.rolname = $1`;
