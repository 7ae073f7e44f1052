import pg from 'pg';
import { attempt } from '../support/attempt.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { announce, aWorld, scopeOf, type AgentRows, type World } from '../support/rows.js';

const REFUSED = { code: '42501', message: expect.stringContaining('row-level security') as string };
const DENIED = expect.objectContaining({ code: '42501' }) as object;
const ONE = { rows: 1 };
const SCOPES = ['organization', 'project', 'agent'] as const;

describe('what the roles may do', () => {
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

  it('[T16] the app makes no objects and becomes no other role', async () => {
    expect(await attempt(app, 'CREATE TABLE mine (id int)')).toEqual(DENIED);
    expect(await attempt(app, 'CREATE SCHEMA mine')).toEqual(DENIED);
    expect(await attempt(app, 'CREATE VIEW mine AS SELECT id FROM runs')).toEqual(DENIED);
    expect(await attempt(app, `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`)).toEqual(
      DENIED,
    );
    const { rows } = await admin.query<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles WHERE rolname <> 'agentflow_app' AND rolname !~ '^pg_'`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['agentflow_owner', 'agentflow_worker']),
    );
    for (const { name } of rows) {
      expect(await attempt(app, `SET LOCAL ROLE ${pg.escapeIdentifier(name)}`)).toEqual(DENIED);
    }
  });

  it('[T16] the app never reads the digest of a key, its own included', async () => {
    await announce(app, scopeOf(world.own, 'organization'));
    expect(await attempt(app, 'SELECT digest FROM api_keys')).toEqual(DENIED);
    expect(await attempt(app, 'SELECT * FROM api_keys')).toEqual(DENIED);
    expect(await attempt(app, 'SELECT id FROM api_keys WHERE digest IS NOT NULL')).toEqual(DENIED);
  });

  it.each([
    ['organization', 1],
    ['project', 0],
    ['agent', 0],
  ] as const)('[T16] an organization is changed by the scope %s in %i rows', async (kind, rows) => {
    await announce(app, scopeOf(world.own, kind));
    expect(await attempt(app, `UPDATE organizations SET name = 'mine'`)).toEqual({ rows });
  });

  it.each([
    ['organization', ONE, ONE],
    ['project', REFUSED, { rows: 0 }],
    ['agent', REFUSED, { rows: 0 }],
  ] as const)(
    '[T16] prices are added and removed by an organization only: the scope %s',
    async (kind, added, removed) => {
      await announce(app, scopeOf(world.own, kind));
      const text = `INSERT INTO model_prices (tenant_id, id, model, input, output)
      VALUES ($1, gen_random_uuid(), 'm', 1, 2)`;
      expect(await attempt(app, 'DELETE FROM model_prices')).toEqual(removed);
      expect(await attempt(app, text, [world.own.tenantId])).toEqual(added);
      expect(await attempt(app, 'UPDATE model_prices SET input = 0')).toEqual(DENIED);
    },
  );

  it.each(SCOPES)(
    '[T5] the scope %s begins a run or makes a key only for an agent in its project',
    async (kind) => {
      const { own, siblingProject } = world;
      await announce(app, scopeOf(own, kind));
      for (const pair of [
        { ...own, agentId: siblingProject.agentId },
        { ...own, projectId: siblingProject.projectId },
      ]) {
        expect(await attempt(app, ...aRunOf(pair))).toEqual(REFUSED);
        expect(await attempt(app, ...aKeyOf(pair))).toEqual(REFUSED);
      }
      expect(await attempt(app, ...aRunOf(own))).toEqual(ONE);
      expect(await attempt(app, ...aKeyOf(own))).toEqual(ONE);
    },
  );

  it.each(SCOPES)('the scope %s takes a run and its events in one statement', async (kind) => {
    await announce(app, scopeOf(world.own, kind));
    const [text, values] = aRunOf(world.own);
    const both = `WITH run AS (${text} RETURNING tenant_id, id)
      INSERT INTO run_events (tenant_id, run_id, seq, type) SELECT tenant_id, id, 1, 'run.created' FROM run`;
    expect(await attempt(app, both, values)).toEqual(ONE);
  });

  it.each(SCOPES.slice(0, 2))(
    'the scope %s takes an agent and its first version in one statement',
    async (kind) => {
      await announce(app, scopeOf(world.own, kind));
      const both = `WITH agent AS (
        INSERT INTO agents (tenant_id, id, project_id, name, adapter)
        VALUES ($1, gen_random_uuid(), $2, 'new', 'langgraph') RETURNING *)
      INSERT INTO agent_versions (tenant_id, id, agent_id, version, adapter, config)
      SELECT tenant_id, gen_random_uuid(), id, version, adapter, config FROM agent`;
      expect(await attempt(app, both, [world.own.tenantId, world.own.projectId])).toEqual(ONE);
    },
  );

  it('[T16] the worker sees what its work needs, of every organization, and no payload below a run', async () => {
    const { rows: tables } = await admin.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migrations'`,
    );
    const ofReports = ['received_reports'];
    const ofRuns = ['runs', 'tool_calls', 'approvals', 'deleted_runs'];
    const granted = ['agents', ...ofRuns, 'idempotency_keys', 'bulk_actions', ...ofReports];
    await connected(database.workerUrl, async (worker) => {
      await worker.query('BEGIN');
      for (const { name } of tables) {
        const all = await admin.query(`SELECT FROM ${name}`);
        const seen = await attempt(worker, `SELECT FROM ${name}`);
        // These only of the organization that it is at work for.
        const visible = ['steps', 'agent_versions', 'api_keys'].includes(name) ? { rows: 0 } : DENIED;
        expect({ name, seen }).toEqual({
          name,
          seen: granted.includes(name) ? { rows: all.rowCount } : visible,
        });
      }
      for (const payload of ['input', 'output', 'error', 'said'])
        expect(await attempt(worker, `SELECT ${payload} FROM steps`)).toEqual(DENIED);
      for (const payload of ['payload', 'schema'])
        expect(await attempt(worker, `SELECT ${payload} FROM approvals`)).toEqual(DENIED);
      expect(await attempt(worker, 'SELECT body FROM received_reports')).toEqual(DENIED);
      for (const secret of ['digest', 'created_by', 'last_used_at'])
        expect(await attempt(worker, `SELECT ${secret} FROM api_keys`)).toEqual(DENIED);
      expect(await attempt(worker, 'SELECT config FROM agent_versions')).toEqual(DENIED);
    });
  });

  it.each(SCOPES)(
    '[T16] at work for a key of one %s, the worker sees, ends, deletes and makes no run beyond it',
    async (kind) => {
      const { own } = world;
      const inside = { organization: 'true', project: 'project_id = $2', agent: 'agent_id = $3' }[kind];
      const ids = [own.tenantId, own.projectId, own.agentId];
      const { rowCount } = await admin.query(
        `SELECT FROM runs WHERE tenant_id = $1 AND ($2::uuid IS NOT NULL AND $3::uuid IS NOT NULL) AND ${inside}`,
        ids,
      );
      const copy = `INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status)
      VALUES ($1, gen_random_uuid(), $2, $3, 1, 'x', 'pending')`;
      await connected(database.workerUrl, async (worker) => {
        await worker.query('BEGIN');
        await announce(worker, scopeOf(own, kind));
        expect(await attempt(worker, 'SELECT FROM runs')).toEqual({ rows: rowCount });
        expect(await attempt(worker, copy, ids)).toEqual(ONE);
        for (const other of [world.siblingAgent, world.siblingProject, world.foreign]) {
          const { tenantId, projectId, agentId } = other;
          const isInside =
            tenantId === own.tenantId &&
            (kind === 'organization' || (kind === 'project' && projectId === own.projectId));
          expect(await attempt(worker, copy, [tenantId, projectId, agentId])).toEqual(
            isInside ? ONE : REFUSED,
          );
          expect(await attempt(worker, 'DELETE FROM runs WHERE id = $1', [other.runId])).toEqual({
            rows: isInside ? 1 : 0,
          });
        }
      });
    },
  );

  it('[T16] the worker ends runs of the organization that it is at work for, and of no other', async () => {
    const { own, foreign } = world;
    const END = `status = 'failed', updated_at = now()`;
    const EVENT = `INSERT INTO run_events (tenant_id, run_id, seq, type) VALUES ($1, $2, 9, 'run.failed')`;
    await connected(database.workerUrl, async (worker) => {
      await worker.query('BEGIN');
      for (const table of ['runs', 'tool_calls']) {
        const ended = table === 'runs' ? `${END}, ended_at = now()` : END;
        expect(await attempt(worker, `UPDATE ${table} SET ${ended}`)).toEqual({ rows: 0 });
      }
      expect(await attempt(worker, `UPDATE steps SET ${END}`)).toEqual({ rows: 0 });
      expect(await attempt(worker, EVENT, [own.tenantId, own.runId])).toEqual(REFUSED);
      await announce(worker, scopeOf(own, 'organization'));
      for (const table of ['runs', 'steps', 'tool_calls']) {
        const { rows } = await admin
          .query(`SELECT FROM ${table} WHERE tenant_id = $1`, [own.tenantId])
          .then(({ rowCount }) => ({ rows: rowCount }));
        const ended = table === 'runs' ? `${END}, ended_at = now()` : END;
        expect({ table, ...(await attempt(worker, `UPDATE ${table} SET ${ended}`)) }).toEqual({
          table,
          rows,
        });
      }
      expect(await attempt(worker, EVENT, [own.tenantId, own.runId])).toEqual(ONE);
      expect(await attempt(worker, EVENT, [foreign.tenantId, foreign.runId])).toEqual(REFUSED);
      for (const said of ['input = NULL', 'project_id = project_id', 'from_trace = true'])
        expect(await attempt(worker, `UPDATE runs SET ${said}`)).toEqual(DENIED);
      expect(await attempt(worker, 'UPDATE steps SET output = NULL')).toEqual(DENIED);
    });
  });
});

type Statement = [text: string, values: unknown[]];

function aRunOf({ tenantId, projectId, agentId }: AgentRows): Statement {
  return [
    `INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status)
     VALUES ($1, gen_random_uuid(), $2, $3, 1, 'langgraph', 'pending')`,
    [tenantId, projectId, agentId],
  ];
}

function aKeyOf({ tenantId, projectId, agentId }: AgentRows): Statement {
  return [
    `INSERT INTO api_keys (tenant_id, id, scope, project_id, agent_id, role, name, public_id, hint, digest)
     VALUES ($1, gen_random_uuid(), 'agent', $2, $3, 'viewer', 'k', gen_random_uuid(), 'h', sha256('secret'))`,
    [tenantId, projectId, agentId],
  ];
}
