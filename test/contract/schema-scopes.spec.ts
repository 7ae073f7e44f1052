import type { Scope } from '@agentflow/database';
import pg from 'pg';
import { attempt, type Outcome } from '../support/attempt.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { announce, aWorld, scopeOf, type World } from '../support/rows.js';

interface Visibility {
  organization: string;
  project: string;
  agent: string;
}

const ALL = 'true';
const NONE = '$1::uuid IS NULL';
const PROJECT_AND_AGENT = visible('project_id = $1', 'agent_id = $1');
const OF_AN_AGENT = visible('agent_id IN (SELECT id FROM agents WHERE project_id = $1)', 'agent_id = $1');
const BELOW_A_RUN = visible(
  'run_id IN (SELECT id FROM runs WHERE project_id = $1)',
  'run_id IN (SELECT id FROM runs WHERE agent_id = $1)',
);

/** Which rows of its organization a scope sees; `$1` is the id of what it spans. */
const VISIBLE: Record<string, Visibility> = {
  organizations: visible(ALL, ALL),
  projects: visible('id = $1', NONE),
  agents: visible('project_id = $1', 'id = $1'),
  agent_versions: OF_AN_AGENT,
  api_keys: PROJECT_AND_AGENT,
  runs: PROJECT_AND_AGENT,
  steps: BELOW_A_RUN,
  messages: BELOW_A_RUN,
  checkpoints: BELOW_A_RUN,
  run_events: BELOW_A_RUN,
  received_reports: BELOW_A_RUN,
  tool_calls: OF_AN_AGENT,
  approvals: PROJECT_AND_AGENT,
  audit_log: PROJECT_AND_AGENT,
  bulk_actions: PROJECT_AND_AGENT,
  deleted_runs: PROJECT_AND_AGENT,
  model_prices: visible(ALL, ALL),
  idempotency_keys: { organization: 'scope_id = $1', project: 'scope_id = $1', agent: 'scope_id = $1' },
};
const TABLES = Object.keys(VISIBLE);

function visible(project: string, agent: string): Visibility {
  return { organization: ALL, project, agent };
}

interface Row {
  /** The primary key, as text. */
  key: string;
  /** The whole row, as the superuser sees it. */
  content: string;
}

const REFUSED = { code: '42501', message: expect.stringContaining('row-level security') as string };
const DENIED = expect.objectContaining({ code: '42501' }) as object;

describe('row security, as the app role', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let app: pg.Client;
  let world: World;

  beforeAll(async () => {
    database = await aDatabase();
    admin = new pg.Client({ connectionString: database.adminUrl });
    app = new pg.Client({ connectionString: database.appUrl });
    await Promise.all([admin.connect(), app.connect()]);
    world = await aWorld(admin);
  });

  afterAll(async () => {
    await Promise.all([admin.end(), app.end()]);
    await database.drop();
  });

  beforeEach(() => app.query('BEGIN'));
  afterEach(() => app.query('ROLLBACK'));

  /** An expression over a table: its primary key as text. */
  async function keyOf(table: string): Promise<string> {
    const { rows } = await admin.query<{ key: string }>(
      `SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) AS key
       FROM pg_constraint c JOIN pg_attribute a ON attrelid = conrelid AND attnum = ANY (conkey)
       WHERE contype = 'p' AND conrelid = $1::regclass`,
      [table],
    );
    return `ROW(${rows[0]?.key})::text`;
  }

  async function rowsWhere(table: string, condition: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await admin.query<Row>(
      `SELECT ${await keyOf(table)} AS key, row_to_json(t)::text AS content FROM ${table} t WHERE ${condition}`,
      values,
    );
    return rows;
  }

  /** The truth about a scope, by the superuser. */
  async function truth(table: string, scope: Scope): Promise<{ own: Row[]; others: Row[] }> {
    const tenant = table === 'organizations' ? 'id' : 'tenant_id';
    const condition = `${tenant} = $2 AND (${VISIBLE[table]?.[scope.kind]}) AND $1::uuid IS NOT NULL`;
    const values = [scope.agentId ?? scope.projectId ?? scope.tenantId, scope.tenantId];
    return {
      own: await rowsWhere(table, condition, values),
      others: await rowsWhere(table, `NOT (${condition})`, values),
    };
  }

  const keys = (rows: Row[]) => rows.map(({ key }) => key).sort();

  /** Inserting the very row: row security answers before any unique key could tell that it exists. */
  function copying(table: string, row: Row): Promise<Outcome> {
    const text = `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`;
    return attempt(app, text, [row.content], true);
  }

  /** How many of the rows a statement reaches; a missing grant reaches none. */
  async function reached(verb: 'UPDATE' | 'DELETE', table: string, rows: Row[]): Promise<number> {
    const columns = await app.query<{ name: string }>(
      `SELECT format('%I', attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND has_column_privilege(attrelid, attnum, 'UPDATE') LIMIT 1`,
      [table],
    );
    const column = columns.rows[0]?.name ?? 'tenant_id';
    const head = verb === 'UPDATE' ? `UPDATE ${table} SET ${column} = ${column}` : `DELETE FROM ${table}`;
    const outcome = await attempt(app, `${head} WHERE ${await keyOf(table)} = ANY ($1)`, [keys(rows)], true);
    if ('rows' in outcome) return outcome.rows;
    expect(outcome).toEqual({
      code: '42501',
      message: expect.stringContaining('permission denied') as string,
    });
    return 0;
  }

  it('[T16] the world of these tests has rows of every tenant in every table of tenants', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'`,
    );
    expect(['organizations', ...rows.map(({ name }) => name)].sort()).toEqual([...TABLES].sort());
    for (const table of TABLES) {
      const tenant = table === 'organizations' ? 'id' : 'tenant_id';
      const { rowCount } = await admin.query(`SELECT FROM ${table} GROUP BY ${tenant}`);
      expect({ table, tenants: rowCount }).toEqual({ table, tenants: 2 });
    }
  });

  describe.each(TABLES)('%s', (table) => {
    it('[T16] without a scope shows no row and takes none', async () => {
      const { rowCount } = await app.query(`SELECT ${await keyOf(table)} FROM ${table}`);
      expect(rowCount).toBe(0);
      for (const row of await rowsWhere(table, ALL, [])) expect(await copying(table, row)).toEqual(REFUSED);
    });

    it.each(['organization', 'project', 'agent'] as const)(
      '[T16] within one %s shows exactly its own rows, and another row is neither changed, deleted nor added',
      async (kind) => {
        const scope = scopeOf(world.own, kind);
        await announce(app, scope);
        const { own, others } = await truth(table, scope);
        expect(others).not.toHaveLength(0);
        const seen = await app.query<Row>(`SELECT ${await keyOf(table)} AS key FROM ${table}`);
        expect(keys(seen.rows)).toEqual(keys(own));
        expect(await reached('UPDATE', table, others)).toBe(0);
        expect(await reached('DELETE', table, others)).toBe(0);
        for (const row of others) expect(await copying(table, row)).toEqual(REFUSED);
      },
    );

    it('[T16] cannot be truncated, altered, or read with row security off', async () => {
      await announce(app, scopeOf(world.own, 'organization'));
      expect(await attempt(app, `TRUNCATE ${table} CASCADE`)).toEqual(DENIED);
      expect(await attempt(app, `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`)).toEqual(DENIED);
      expect(await attempt(app, `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`)).toEqual(DENIED);
      expect(await attempt(app, `CREATE POLICY open ON ${table} USING (true)`)).toEqual(DENIED);
      expect(await attempt(app, `DROP TABLE ${table} CASCADE`)).toEqual(DENIED);
      await app.query('SET LOCAL row_security = off');
      expect(await attempt(app, `SELECT ${await keyOf(table)} FROM ${table}`)).toEqual(DENIED);
    });
  });
});
