import { RUN_STATUSES, type RunStatus } from '@agentflow/contracts';
import { allowedTransitions, isTerminal } from '@agentflow/domain';
import { randomUUID } from 'node:crypto';
import pg, { type ClientBase } from 'pg';
import { attempt } from '../support/attempt.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { announce, aWorld, insert, scopeOf, type World } from '../support/rows.js';

const RESTRICTED = refusal('23001');
const DENIED = refusal('42501');
const UNCHECKED = refusal('23514');
const ONE = { rows: 1 };
const NOTHING = { rows: 0 };
const APPEND_ONLY = ['agent_versions', 'messages', 'checkpoints', 'run_events', 'audit_log'];
const PAIRS = RUN_STATUSES.flatMap((from) => RUN_STATUSES.map((to): [RunStatus, RunStatus] => [from, to]));

function refusal(code: string): object {
  return expect.objectContaining({ code }) as object;
}

describe('the last guard', () => {
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

  beforeEach(async () => {
    await Promise.all([admin.query('BEGIN'), app.query('BEGIN')]);
    await announce(app, scopeOf(world.own, 'organization'));
  });
  afterEach(() => Promise.all([admin.query('ROLLBACK'), app.query('ROLLBACK')]));

  const asOwner = () => admin.query('SET LOCAL ROLE agentflow_owner');

  async function aRunIn(client: ClientBase, status: RunStatus): Promise<string> {
    const { tenantId: tenant_id, projectId: project_id, agentId: agent_id } = world.own;
    const ended_at = isTerminal(status) ? new Date() : null;
    const id = randomUUID();
    const pinned = { project_id, agent_id, agent_version: 1, adapter: 'langgraph' };
    await insert(client, 'runs', { tenant_id, id, ...pinned, status, ended_at });
    return id;
  }

  it.each(PAIRS)(
    '[S9] a raw UPDATE from %s to %s goes as the table of the lifecycle says',
    async (from, to) => {
      const allowed = from === to || allowedTransitions(from).includes(to);
      const ended = isTerminal(to) ? 'coalesce(ended_at, now())' : 'NULL';
      for (const client of [app, admin]) {
        const id = await aRunIn(client, from);
        const moved = await attempt(
          client,
          `UPDATE runs SET status = $2, ended_at = ${ended} WHERE id = $1`,
          [id, to],
        );
        expect(moved).toEqual(allowed ? ONE : RESTRICTED);
      }
    },
  );

  it('[S9] only an end that was presumed of a trace gives way to another state', async () => {
    const changed = async (isTrace: boolean, error_type: string, to: RunStatus) => {
      const id = await aRunIn(app, 'failed');
      await app.query('UPDATE runs SET from_trace = $2, error_type = $3 WHERE id = $1', [
        id,
        isTrace,
        error_type,
      ]);
      const end = isTerminal(to) ? `ended_at + interval '1 second'` : 'NULL';
      return attempt(app, `UPDATE runs SET status = $2, ended_at = ${end} WHERE id = $1`, [id, to]);
    };
    for (const to of RUN_STATUSES) {
      expect(await changed(true, 'trace_incomplete', to)).toEqual(ONE);
      expect(await changed(false, 'trace_incomplete', to)).toEqual(RESTRICTED);
      expect(await changed(true, 'TimeoutError', to)).toEqual(RESTRICTED);
    }
  });

  it('[S9] an end that a trace said is moved by the trace alone, and so is the agent of its run', async () => {
    const changed = async (isByTrace: boolean, to: RunStatus, stays: boolean) => {
      const id = await aRunIn(app, 'succeeded');
      await app.query('UPDATE runs SET ended_by_trace = $2 WHERE id = $1', [id, isByTrace]);
      const end = isTerminal(to) ? `ended_at + interval '1 second'` : 'NULL';
      const text = `UPDATE runs SET status = $2, ended_at = ${end}, ended_by_trace = $3 WHERE id = $1`;
      return attempt(app, text, [id, to, stays]);
    };
    for (const to of RUN_STATUSES) {
      expect(await changed(true, to, true)).toEqual(ONE);
      expect(await changed(true, to, false)).toEqual(isTerminal(to) ? RESTRICTED : ONE);
      expect(await changed(false, to, true)).toEqual(RESTRICTED);
    }
    for (const isTrace of [true, false]) {
      const id = await aRunIn(app, 'running');
      await app.query('UPDATE runs SET from_trace = $2 WHERE id = $1', [id, isTrace]);
      const renamed = await attempt(app, 'UPDATE runs SET agent_version = agent_version + 1 WHERE id = $1', [
        id,
      ]);
      expect(renamed).toEqual(isTrace ? ONE : RESTRICTED);
    }
  });

  it('[S9] a run ends once, and has an end exactly when it has ended', async () => {
    const [ended, running] = [await aRunIn(app, 'failed'), await aRunIn(app, 'running')];
    const set = (assignments: string, id: string) =>
      attempt(app, `UPDATE runs SET ${assignments} WHERE id = $1`, [id]);
    expect(await set(`ended_at = ended_at + interval '1 second'`, ended)).toEqual(RESTRICTED);
    expect(await set('ended_at = NULL', ended)).toEqual(RESTRICTED);
    expect(await set('ended_at = now()', running)).toEqual(UNCHECKED);
    expect(await set(`status = 'succeeded'`, running)).toEqual(UNCHECKED);
  });

  it.each([
    ['tenant_id', () => world.foreign.tenantId, DENIED],
    ['id', () => randomUUID(), DENIED],
    ['project_id', () => world.siblingProject.projectId, RESTRICTED],
    ['agent_id', () => world.siblingAgent.agentId, RESTRICTED],
    ['agent_version', () => 2, RESTRICTED],
    ['created_at', () => new Date(0), DENIED],
  ])(
    '[S9] %s of a run stays what it was, for the app and for a superuser',
    async (column, value, refusal) => {
      const statement = `UPDATE runs SET ${column} = $2 WHERE id = $1`;
      expect(await attempt(app, statement, [world.own.runId, value()])).toEqual(refusal);
      expect(await attempt(admin, statement, [world.own.runId, value()])).toEqual(RESTRICTED);
    },
  );

  it.each([
    ...['steps', 'messages', 'checkpoints'].map((table) => [table, 'index', '7']),
    ...['steps', 'messages', 'checkpoints', 'tool_calls', 'run_events'].map((table) => [
      table,
      'run_id',
      'NULL',
    ]),
    ...['projects', 'agents', 'api_keys', 'steps', 'tool_calls'].map((table) => [
      table,
      'tenant_id',
      'tenant_id',
    ]),
    ...['agents', 'api_keys'].map((table) => [table, 'project_id', 'project_id']),
    ...['role', 'scope', 'agent_id', 'public_id', 'digest', 'expires_at'].map((name) => [
      'api_keys',
      name,
      'NULL',
    ]),
    ['run_events', 'seq', '7'],
    ['organizations', 'id', 'id'],
    ['organizations', 'slug', 'slug'],
  ])('[S9] the app may not set %s.%s', async (table, column, value) => {
    expect(await attempt(app, `UPDATE ${table} SET ${column} = ${value}`)).toEqual(DENIED);
  });

  describe.each(APPEND_ONLY)('%s', (table) => {
    it('[T23] the app may neither update, delete nor truncate', async () => {
      expect(await attempt(app, `UPDATE ${table} SET tenant_id = tenant_id`)).toEqual(DENIED);
      expect(await attempt(app, `DELETE FROM ${table}`)).toEqual(DENIED);
      expect(await attempt(app, `TRUNCATE ${table}`)).toEqual(DENIED);
    });

    it('[T23] their owner reaches no row, and a trigger refuses even when row security is lifted', async () => {
      await asOwner();
      expect(await attempt(admin, `UPDATE ${table} SET tenant_id = tenant_id`)).toEqual(NOTHING);
      expect(await attempt(admin, `DELETE FROM ${table}`)).toEqual(NOTHING);
      expect(await attempt(admin, `TRUNCATE ${table} CASCADE`)).toEqual(RESTRICTED);
      await admin.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
      expect(await attempt(admin, `UPDATE ${table} SET tenant_id = tenant_id`)).toEqual(RESTRICTED);
      expect(await attempt(admin, `DELETE FROM ${table}`)).toEqual(RESTRICTED);
    });

    it('[T23] a superuser is refused as well', async () => {
      expect(await attempt(admin, `UPDATE ${table} SET tenant_id = tenant_id`)).toEqual(RESTRICTED);
      expect(await attempt(admin, `DELETE FROM ${table}`)).toEqual(RESTRICTED);
      expect(await attempt(admin, `TRUNCATE ${table} CASCADE`)).toEqual(RESTRICTED);
      expect(await attempt(admin, 'TRUNCATE organizations CASCADE')).toEqual(RESTRICTED);
    });
  });

  it.each(['organization', 'project', 'agent'] as const)(
    '[T23] the deletion of a run by an %s scope takes all that belongs to it along',
    async (kind) => {
      await announce(app, scopeOf(world.own, kind));
      const { rows } = await app.query<{ id: string }>('SELECT parent_run_id AS id FROM runs WHERE id = $1', [
        world.own.runId,
      ]);
      expect(await attempt(app, 'DELETE FROM runs WHERE id = $1', [rows[0]?.id])).toEqual(ONE);
      for (const table of ['steps', 'messages', 'tool_calls', 'checkpoints', 'run_events']) {
        const left = await app.query(`SELECT FROM ${table} WHERE run_id = $1`, [rows[0]?.id]);
        expect({ table, left: left.rowCount }).toEqual({ table, left: 0 });
      }
      const fork = await app.query(
        'SELECT parent_run_id, from_checkpoint_id, origin FROM runs WHERE id = $1',
        [world.own.runId],
      );
      expect(fork.rows).toEqual([{ parent_run_id: null, from_checkpoint_id: null, origin: 'fork' }]);
    },
  );

  it('[T23] the worker deletes an agent with its versions and keys once its runs and calls are gone', async () => {
    const { agentId } = world.own;
    await admin.query('SET LOCAL ROLE agentflow_worker');
    expect(await attempt(admin, 'DELETE FROM agents WHERE id = $1', [agentId])).toEqual(refusal('23503'));
    expect(await attempt(admin, 'DELETE FROM runs WHERE agent_id = $1', [agentId])).toEqual({ rows: 2 });
    expect(await attempt(admin, 'DELETE FROM tool_calls WHERE agent_id = $1', [agentId])).toEqual(ONE);
    expect(await attempt(admin, 'DELETE FROM agents WHERE id = $1', [agentId])).toEqual(ONE);
    await admin.query('RESET ROLE');
    for (const table of ['agent_versions', 'api_keys']) {
      const left = await admin.query(`SELECT FROM ${table} WHERE agent_id = $1`, [agentId]);
      expect({ table, left: left.rowCount }).toEqual({ table, left: 0 });
    }
  });

  it('a checkpoint to continue from is named with its run', async () => {
    const values = [world.own.runId, world.own.checkpointId];
    const statement = `UPDATE runs SET parent_run_id = NULL, from_checkpoint_id = $2 WHERE id = $1`;
    expect(await attempt(admin, statement, values)).toEqual(ONE);
    const { rows } = await admin.query('SELECT from_checkpoint_id FROM runs WHERE id = $1', [
      world.own.runId,
    ]);
    expect(rows).toEqual([{ from_checkpoint_id: null }]);
    const { own } = world;
    const orphan = {
      tenant_id: own.tenantId,
      id: randomUUID(),
      project_id: own.projectId,
      agent_id: own.agentId,
    };
    const pinned = {
      agent_version: 1,
      adapter: 'x',
      status: 'pending',
      from_checkpoint_id: own.checkpointId,
    };
    await expect(insert(admin, 'runs', { ...orphan, ...pinned })).rejects.toMatchObject({
      constraint: 'ck_runs_from_checkpoint',
    });
  });
});
