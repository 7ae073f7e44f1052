import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import pg from 'pg';

/** Owns every object and is nobody's login: migrations become it with `SET ROLE`. */
export const OWNER_ROLE = 'agentflow_owner';
/** What the api acts as. Row security applies to it, and it may do what the requests need and nothing else. */
export const APP_ROLE = 'agentflow_app';
/** What the worker acts as. */
export const WORKER_ROLE = 'agentflow_worker';

const ROLES = [OWNER_ROLE, APP_ROLE, WORKER_ROLE];
const MAX_ATTEMPTS = 10;

/** The roles cannot be prepared by this login; `statements` is what an administrator must run, in this database. */
export class RolesMissing extends Error {
  override readonly name = 'RolesMissing';

  constructor(
    readonly login: string,
    readonly database: string,
    readonly statements: readonly string[],
    cause: unknown,
  ) {
    super(
      `The login "${login}" may not prepare the roles that AgentFlow needs in the database "${database}". ` +
        `Let an administrator run there:\n\n${statements.map((line) => `  ${line};\n`).join('')}`,
      { cause },
    );
  }
}

/**
 * Makes the three roles of the cluster, lets them into this database, and lets the login become each of them.
 *
 * May be repeated, and may run at the same time in several databases of one cluster, which share the roles. A
 * superuser can do this, and so can the ordinary owner of a managed database who has CREATEROLE; for any other
 * login it throws `RolesMissing` unless all that migrations need is already there. (Whether the login may act as
 * the api or the worker is for `assumeRole` to judge: a login for migrations only need not.) The connection must
 * be outside a transaction.
 */
export async function ensureRoles(client: ClientBase): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { login, database, steps } = await missing(client);
    if (steps.length === 0) return;
    try {
      await client.query('BEGIN');
      for (const { statement } of steps) await client.query(statement);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as pg.DatabaseError).code === '42501') {
        if (steps.every(({ optional }) => optional)) return;
        const statements = steps.map(({ statement }) => statement);
        throw new RolesMissing(login, database, statements, error);
      }
      if (attempt === MAX_ATTEMPTS || !isContention(error)) throw error;
      await delay(attempt * 20 * (0.5 + Math.random()));
    }
  }
}

/** Roles are shared by the cluster and advisory locks are not: whoever comes second looks again. */
function isContention(error: unknown): boolean {
  const { code = '', message } = error as pg.DatabaseError;
  return ['42710', '23505', '40P01'].includes(code) || message.includes('tuple concurrently updated');
}

interface RoleFacts {
  role: string;
  exists: boolean;
  /** The login is a member as far as it should be. */
  is_member: boolean;
  connects: boolean;
  creates_schemas: boolean;
  uses_public: boolean;
  creates_in_public: boolean;
  login: string;
  database: string;
  version: number;
}

interface Step {
  statement: string;
  /** Migrations work without it. */
  optional?: boolean;
}

async function missing(client: ClientBase): Promise<{ login: string; database: string; steps: Step[] }> {
  const { rows } = await client.query<RoleFacts>(FACTS, [ROLES]);
  const { login = '', database = '' } = rows[0] ?? {};
  return { login, database, steps: rows.flatMap(stepsFor) };
}

function stepsFor(facts: RoleFacts): Step[] {
  const { role } = facts;
  const [login, database] = [facts.login, facts.database].map(pg.escapeIdentifier);
  const steps: Step[] = [];
  if (!facts.exists) steps.push({ statement: `CREATE ROLE ${role} NOLOGIN` });
  if (!facts.is_member) {
    steps.push({ statement: `GRANT ${role} TO ${login}${options(facts)}`, optional: role !== OWNER_ROLE });
  }
  if (!facts.connects) steps.push({ statement: `GRANT CONNECT ON DATABASE ${database} TO ${role}` });
  if (!facts.uses_public) steps.push({ statement: `GRANT USAGE ON SCHEMA public TO ${role}` });
  if (role === OWNER_ROLE && !facts.creates_schemas) {
    steps.push({ statement: `GRANT CREATE ON DATABASE ${database} TO ${role}` });
  }
  if (role === OWNER_ROLE && !facts.creates_in_public) {
    steps.push({ statement: `GRANT CREATE ON SCHEMA public TO ${role}` });
  }
  return steps;
}

/**
 * The app's policies show nothing without a scope, so its functions may be called without becoming it. The others'
 * show everything: without INHERIT, a connection that forgot to become one of them sees nothing instead.
 * Postgres 15 knows no such choice.
 */
function options({ role, version }: RoleFacts): string {
  return version >= 160000 ? ` WITH SET TRUE, INHERIT ${role === APP_ROLE ? 'TRUE' : 'FALSE'}` : '';
}

/** Of a role that does not exist every privilege is null. From Postgres 16 on, membership alone does not allow SET. */
const FACTS = `
  WITH login AS (
    SELECT rolname, rolsuper, current_setting('server_version_num')::int AS version
    FROM pg_roles WHERE rolname = session_user)
  SELECT wanted.role, r.oid IS NOT NULL AS exists,
    coalesce(login.rolsuper OR pg_has_role(login.rolname, r.oid,
        CASE WHEN version >= 160000 THEN 'SET' ELSE 'MEMBER' END)
      AND (r.rolname <> 'agentflow_app' OR pg_has_role(login.rolname, r.oid, 'USAGE')), false) AS is_member,
    coalesce(has_database_privilege(r.oid, current_database(), 'CONNECT'), false) AS connects,
    coalesce(has_database_privilege(r.oid, current_database(), 'CREATE'), false) AS creates_schemas,
    coalesce(has_schema_privilege(r.oid, 'public', 'USAGE'), false) AS uses_public,
    coalesce(has_schema_privilege(r.oid, 'public', 'CREATE'), false) AS creates_in_public,
    login.rolname AS login, current_database() AS database, version
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (role, position)
  CROSS JOIN login
  LEFT JOIN pg_roles r ON r.rolname = wanted.role
  ORDER BY wanted.position`;
