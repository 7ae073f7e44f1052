import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { anApi, type TestApi } from '../support/api.js';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient, type Client } from '../support/client.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aFolder, type Folder } from '../support/folder.js';
import { leaseWatches, withWorkers } from '../support/workers.js';
import { anAdminKey } from '../support/process-keys.js';
import { atOnce } from '../support/race.js';
import { aRunningRun, aToolCall, anAgent, anOrganization } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const HOUR_MS = 3_600_000;

describe('leases that run out while several look for them', () => {
  let api: TestApi;
  let truth: Truth;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  /** Runs of several organizations, each with something open below it. */
  async function heldRuns(count: number): Promise<{ client: Client; id: string; token: string }[]> {
    const clients = await atOnce(3, async () =>
      api.as((await anOrganization(api.root)).api_key.key as string),
    );
    const agents = await Promise.all(clients.map(async (client) => (await anAgent(client)).id as string));
    return atOnce(count, async (i) => {
      const client = clients[i % clients.length] as Client;
      const members = { agent_id: agents[i % agents.length], lease_seconds: 600 };
      const { id, lease_token } = await aRunningRun(client, members);
      await aToolCall(client, id);
      return { client, id: id as string, token: lease_token as string };
    });
  }

  const expire = (ids: string[]): Promise<unknown> =>
    truth.query(`UPDATE runs SET lease_expires_at = now() - interval '1 ms' WHERE id = ANY ($1)`, [ids]);

  it('[Z9] Three at work fail each run once, with one event for each thing that ends', async () => {
    const ids = (await heldRuns(60)).map(({ id }) => id);
    await expire(ids);
    const failed = await withWorkers(api.database, leaseWatches(3), async (watches) => {
      let total = 0;
      while (total < ids.length) {
        for (const { runs } of await Promise.all(watches.map((watch) => watch.round()))) total += runs;
      }
      return total;
    });
    expect(failed).toBe(ids.length);
    for (const id of ids) {
      expect((await truth.told(id)).slice(2)).toEqual([
        'tool_call.started',
        'tool_call.completed',
        'run.failed',
      ]);
    }
  }, 60_000);

  it('[Z9] A holder who is heard of in the moment of the sweep keeps his run, or loses it, and never both', async () => {
    const runs = await heldRuns(40);
    const soon = `UPDATE runs SET lease_expires_at = now() + interval '30 ms' WHERE id = ANY ($1)`;
    await truth.query(soon, [runs.map(({ id }) => id)]);
    const outcomes = await withWorkers(api.database, leaseWatches(2), async (watches) => {
      let isOver = false;
      const sweeps = watches.map(async (watch) => {
        while (!isOver) await watch.round();
      });
      const answers = await Promise.all(
        runs.map(({ client, id, token }) =>
          client.post(`/v1/runs/${id}/steps`, { node: 'x' }, { 'agentflow-lease': token }),
        ),
      );
      await Promise.all(
        runs.map(async ({ id }, i) => {
          if (answers[i]?.status === 201) return;
          while ((await truth.told(id)).at(-1) !== 'run.failed');
        }),
      );
      isOver = true;
      await Promise.all(sweeps);
      return answers.map(({ status, body }) => body.code ?? status);
    });
    for (const [i, { id }] of runs.entries()) {
      const told = await truth.told(id);
      const [row] = await truth.query(
        'SELECT status, lease_expires_at > now() AS held FROM runs WHERE id = $1',
        [id],
      );
      expect([outcomes[i], told.includes('step.started'), row]).toEqual(
        outcomes[i] === 201
          ? [201, true, { status: 'running', held: true }]
          : ['run.lease_lost', false, { status: 'failed', held: null }],
      );
      expect(told.filter((type) => type === 'run.failed').length).toBe(outcomes[i] === 201 ? 0 : 1);
    }
  }, 60_000);
});

describe('leases in processes of their own', () => {
  const key = anAdminKey();
  let database: TestDatabase;
  let folder: Folder;
  let truth: Truth;
  let api: ApiProcess | undefined;
  let holder: ChildProcess | undefined;
  beforeAll(async () => {
    [database, folder] = [await aDatabase(), aFolder()];
    truth = theTruth(database);
  });
  afterEach(async () => {
    holder?.kill('SIGKILL');
    await api?.stop();
  });
  afterAll(async () => {
    await truth.close();
    await database.drop();
    folder.remove();
  });

  /** With the background work inside it, as it is by default. */
  async function started(settings: Record<string, string> = {}, imports: string[] = []): Promise<Client> {
    api = await anApiProcess(
      {
        DATABASE_URL: database.adminUrl,
        AGENTFLOW_BOOTSTRAP_KEY: key,
        AGENTFLOW_DATA_DIR: folder.path,
        ...settings,
      },
      { imports },
    );
    return aClient(api.url, key);
  }

  /** Asks until the run stands there; the test's own limit ends it otherwise. */
  async function until(client: Client, id: string, status: string): Promise<void> {
    while ((await client.get(`/v1/runs/${id}`)).body.status !== status);
  }

  const stepsOf = (id: string): Promise<number> => truth.count('steps', 'run_id = $1', [id]);

  it('[Z10] A holder that is stopped past its lease and wakes writes nothing any more, and is told why', async () => {
    const client = await started();
    const run = await aRunningRun(client, { lease_seconds: 2 });
    const said: string[] = [];
    holder = spawn(
      process.execPath,
      ['test/support/lease-holder.mjs', `${api?.url}/v1/runs/${run.id}`, key, run.lease_token],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(holder, 'close');
    holder.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
    // Longer than one lease: it lives by what it sends.
    const past = `SELECT now() > started_at + interval '3 s' AS past FROM runs WHERE id = $1`;
    while (!(await truth.query(past, [run.id]))[0].past);
    expect((await client.get(`/v1/runs/${run.id}`)).body.status).toBe('running');
    holder.kill('SIGSTOP');
    await until(client, run.id, 'failed');
    const written = await stepsOf(run.id);
    expect(written).toBeGreaterThan(1);
    holder.kill('SIGCONT');
    await ended;
    expect(said.at(-1)).toBe('step 409 run.lease_lost');
    expect(await stepsOf(run.id)).toBe(written);
    expect((await client.get(`/v1/runs/${run.id}`)).body).toMatchObject({
      ...{ status: 'failed', error_type: 'lease_expired' },
    });
    expect((await truth.told(run.id)).filter((type) => type === 'run.failed')).toHaveLength(1);
  }, 60_000);

  it.each([HOUR_MS, -HOUR_MS])(
    '[Z11] Leases follow the clock of the database, with the clock of the api off by %i ms: none expires early, and none late',
    async (shift) => {
      const client = await started({ TEST_CLOCK_SHIFT_MS: String(shift) }, [
        './test/support/shifted-clock.mjs',
      ]);
      const { id: agent_id } = await anAgent(client);
      const [dead, alive] = [
        await aRunningRun(client, { agent_id, lease_seconds: 2 }),
        await aRunningRun(client, { agent_id, lease_seconds: 1_800 }),
      ];
      const beat = await client.post(`/v1/runs/${alive.id}/heartbeat`, { lease_token: alive.lease_token });
      const left = `SELECT extract(epoch FROM lease_expires_at - now())::float AS seconds FROM runs WHERE id = $1`;
      const [{ seconds }] = await truth.query(left, [alive.id]);
      expect(Math.round(seconds / 100)).toBe(18);
      expect(beat.body.status).toBe('running');
      // The sweep that fails the one has looked at the other.
      await until(client, dead.id, 'failed');
      const [, told] = await (api as ApiProcess).said(/"time":(\d+).*failed runs whose lease had expired/);
      expect(Math.abs(Number(told) - shift - Date.now())).toBeLessThan(HOUR_MS / 2);
      const late = await client.post(
        `/v1/runs/${dead.id}/steps`,
        { node: 'x' },
        { 'agentflow-lease': dead.lease_token },
      );
      expect(late.body.code).toBe('run.lease_lost');
      const step = await client.post(
        `/v1/runs/${alive.id}/steps`,
        { node: 'x' },
        { 'agentflow-lease': alive.lease_token },
      );
      expect(step.status).toBe(201);
      const ended = await client.get(`/v1/runs/${dead.id}`);
      expect(Date.parse(ended.body.ended_at)).toBeGreaterThanOrEqual(Date.parse(dead.lease_expires_at));
    },
    60_000,
  );
});
