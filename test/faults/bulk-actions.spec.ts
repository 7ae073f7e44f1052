import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aWorkerProcess, type ApiProcess } from '../support/api-process.js';
import type { Answer, Client } from '../support/client.js';
import { atOnce } from '../support/race.js';
import { aFinishedRun, aKey, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { bulkActionRunners, roundsOf, withWorkers } from '../support/workers.js';

/** Whoever writes to a run of this name waits at a gate that the test can close, in whatever process he is. */
const GATE = `
  CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(4711);
    RETURN coalesce(NEW, OLD);
  END $$;
  CREATE TRIGGER runs_gate BEFORE UPDATE ON runs FOR EACH ROW WHEN (OLD.name = 'gate') EXECUTE FUNCTION wait_at_gate();
  CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'broken' USING ERRCODE = 'data_exception';
  END $$;
  CREATE TRIGGER runs_break BEFORE UPDATE ON runs FOR EACH ROW WHEN (OLD.name = 'broken') EXECUTE FUNCTION break()`;

describe('bulk actions that are broken off, shared and kept waiting', () => {
  let api: TestApi;
  let admin: Client;
  let truth: Truth;
  let gate: pg.Client;
  let worker: ApiProcess | undefined;
  beforeAll(async () => {
    api = await anApi();
    admin = api.admin;
    truth = theTruth(api.database);
    await truth.query(GATE);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });
  beforeEach(async () => {
    gate = new pg.Client({ connectionString: api.database.adminUrl });
    await gate.connect();
  });
  afterEach(async () => {
    await gate.end();
    worker?.process.kill('SIGKILL');
    await worker?.ended;
    worker = undefined;
  });

  const close = (): Promise<unknown> => gate.query('SELECT pg_advisory_lock(4711)');
  const open = (): Promise<unknown> => gate.query('SELECT pg_advisory_unlock(4711)');
  const aWorker = async (): Promise<ApiProcess> =>
    (worker = await aWorkerProcess({
      DATABASE_URL: api.database.workerUrl,
      AGENTFLOW_LOCK_TIMEOUT_MS: '60000',
    }));

  /** Until somebody waits at the gate; the test's own limit ends it otherwise. */
  async function somebodyWaits(): Promise<void> {
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`;
    while ((await truth.query(waiting)).length === 0);
  }
  async function until(id: string, status: string): Promise<Answer['body']> {
    for (;;) {
      const { body } = await admin.get(`/v1/bulk-actions/${id}`);
      if (body.status === status) return body;
    }
  }

  /** An agent with 60 running runs, one that is called so, and 59 older ones; a portion is 50. */
  async function runsAround(name: string): Promise<{ agent_id: string; count: () => Promise<number> }> {
    const { id: agent_id } = await anAgent(admin);
    const some = (count: number): Promise<unknown> => atOnce(count, () => aRunningRun(admin, { agent_id }));
    await some(59);
    await aRunningRun(admin, { agent_id, name });
    await some(60);
    const ofAgent = `type = 'run.cancelled' AND run_id IN (SELECT id FROM runs WHERE agent_id = $1)`;
    return { agent_id, count: () => truth.count('run_events', ofAgent, [agent_id]) };
  }
  const ask = async (body: object, client = admin): Promise<string> =>
    (await client.post('/v1/bulk-actions', body)).body.id as string;
  it('[Z1] A worker that is killed in the middle leaves whole portions, and another does the rest: each run once', async () => {
    const { agent_id, count } = await runsAround('gate');
    await close();
    await aWorker();
    const id = await ask({ action: 'cancel', filter: { agent_id } });
    await somebodyWaits();
    worker?.process.kill('SIGKILL');
    await worker?.ended;
    // Postgres takes back what the dead one had begun.
    await open();
    while (
      (
        await truth.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'agentflow worker' AND datname = current_database()`,
        )
      ).length > 0
    );
    const { body: half } = await admin.get(`/v1/bulk-actions/${id}`);
    expect(half).toMatchObject({ status: 'running', matched: 50, done: 50, ended_at: null });
    expect(await count()).toBe(50);
    await aWorker();
    expect(await until(id, 'succeeded')).toMatchObject({ matched: 120, done: 120, skipped: [], failed: 0 });
    expect(await count()).toBe(120);
  }, 120_000);

  it('[Z9] Four at work share many actions: each run is retried once, and all is counted', async () => {
    const agents = await atOnce(6, async () => (await anAgent(admin)).id as string);
    for (const agent_id of agents) await atOnce(30, () => aFinishedRun(admin, { agent_id }));
    const actions = await atOnce(6, (i) => ask({ action: 'retry', filter: { agent_id: agents[i] } }));
    const ids = (await truth.query('SELECT id FROM runs WHERE agent_id = ANY ($1)', [agents])).map(
      ({ id }) => id as string,
    );
    const named = await ask({ action: 'retry', ids });
    await withWorkers(api.database, bulkActionRunners(4), async (runners) => {
      const isOpen = async (): Promise<boolean> =>
        (await truth.count('bulk_actions', 'ended_at IS NULL', [])) > 0;
      await Promise.all(
        runners.map(async (runner) => {
          do await runner.round();
          while (await isOpen());
        }),
      );
    });
    for (const action of actions) {
      expect((await admin.get(`/v1/bulk-actions/${action}`)).body).toMatchObject({
        status: 'succeeded',
        done: 30,
      });
    }
    expect((await admin.get(`/v1/bulk-actions/${named}`)).body).toMatchObject({
      status: 'succeeded',
      done: 180,
    });
    const made = await truth.query(
      'SELECT parent_run_id, count(*)::integer AS count FROM runs WHERE parent_run_id = ANY ($1) GROUP BY 1',
      [ids],
    );
    expect([made.length, new Set(made.map(({ count }) => count))]).toEqual([180, new Set([2])]);
  }, 120_000);

  it('When the key that asked is revoked in the middle, the rest is left, and it says so', async () => {
    const { agent_id, count } = await runsAround('gate');
    const key = await aKey(admin, { scope: 'agent', agent_id, role: 'operator' });
    await close();
    await aWorker();
    const id = await ask({ action: 'cancel', filter: { agent_id } }, api.as(key.key as string));
    await somebodyWaits();
    expect((await admin.delete(`/v1/api-keys/${key.id}`)).status).toBe(204);
    await open();
    expect(await until(id, 'cancelled')).toMatchObject({
      cancel_reason: 'key_revoked',
      matched: 100,
      done: 100,
    });
    expect(await count()).toBe(100);
  }, 120_000);

  it('One that is stopped in the middle ends with the portion that is under way', async () => {
    const { agent_id, count } = await runsAround('gate');
    await close();
    await aWorker();
    const id = await ask({ action: 'cancel', filter: { agent_id } });
    await somebodyWaits();
    const stopping = admin.post(`/v1/bulk-actions/${id}/cancel`);
    const queued = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE bulk_actions%'`;
    while ((await truth.query(queued)).length === 0);
    await open();
    expect((await stopping).body).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'requested',
      done: 100,
    });
    expect(await count()).toBe(100);
  }, 120_000);

  it('[Z5] A run that somebody holds, and one that nothing can be done to, are told with a code and keep none of the others', async () => {
    const { id: agent_id } = await anAgent(admin);
    const held = (await aRunningRun(admin, { agent_id, name: 'gate' })).id;
    const broken = (await aRunningRun(admin, { agent_id, name: 'broken' })).id;
    await atOnce(6, () => aRunningRun(admin, { agent_id }));
    await close();
    const id = await ask({ action: 'cancel', filter: { agent_id } });
    const warnings: string[] = [];
    expect(await roundsOf(api.database, { ...bulkActionRunners(), warnings })).toEqual([{ runs: 8 }]);
    expect(warnings).toEqual(['a run of a bulk action failed', 'a run of a bulk action failed']);
    await open();
    expect((await admin.get(`/v1/bulk-actions/${id}`)).body).toMatchObject({
      ...{ status: 'failed', matched: 8, done: 6, failed: 2, skipped: [] },
      errors: [
        { run_id: broken, code: 'internal' },
        { run_id: held, code: 'timeout' },
      ],
    });
    const list = await admin.get(`/v1/runs?agent_id=${agent_id}&status=running`);
    expect(list.body.data.map(({ id: one }: { id: string }) => one)).toEqual([broken, held]);
  }, 120_000);
});
