import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, get } from 'node:http';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import pg from 'pg';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient, type Client } from '../support/client.js';
import { aFolder, type Folder } from '../support/folder.js';
import { isServing, postmasterOf } from '../support/postmaster.js';
import { anAdminKey } from '../support/process-keys.js';
import { atOnce } from '../support/race.js';
import { openStream } from '../support/streams.js';
import { openWebSocket } from '../support/web-sockets.js';
import { aRunningRun, anAgent } from '../support/things.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WRITES = 20;
const STOPS_WITHIN_MS = 15_000;

describe('a process that is told to stop', () => {
  const key = anAdminKey();
  let folder: Folder;
  let api: ApiProcess;
  let client: Client;
  const sockets: Socket[] = [];
  beforeAll(() => void (folder = aFolder()));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    api.process.kill('SIGKILL');
    await api.ended;
  });
  afterAll(() => folder.remove());

  async function started(settings: Record<string, string> = {}): Promise<void> {
    api = await anApiProcess({
      AGENTFLOW_DATA_DIR: folder.path,
      AGENTFLOW_BOOTSTRAP_KEY: key,
      AGENTFLOW_POOL_SIZE: '30',
      AGENTFLOW_LOCK_TIMEOUT_MS: '20000',
      AGENTFLOW_STATEMENT_TIMEOUT_MS: '20000',
      ...settings,
    });
    client = aClient(api.url, key);
    await client.get('/livez');
  }

  async function onPostgres<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
    const admin = new pg.Client(readFileSync(join(folder.path, 'postgres-url'), 'utf8').trim());
    admin.on('error', () => undefined);
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.end();
    }
  }

  /** Begins writes that wait for a lock, and resolves when all of them do. */
  async function writesUnderWay(admin: pg.Client, ids: string[]): Promise<Promise<number>[]> {
    await admin.query('BEGIN');
    await admin.query('SELECT FROM runs WHERE id = ANY ($1) FOR UPDATE', [ids]);
    const writes = ids.map(
      async (id) =>
        (await client.post(`/v1/runs/${id}/steps`, { node: 'plan' }, { 'idempotency-key': id })).status,
    );
    const waiting = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agentflow api' AND wait_event_type = 'Lock'`;
    // Within its transaction, the holder would see what it saw first.
    await onPostgres(async (other) => {
      for (let count = 0; count < ids.length;)
        count = (await other.query<{ count: number }>(waiting)).rows[0]?.count ?? 0;
    });
    return writes;
  }

  it('[Z13] Twenty writes under way: readiness goes first, all are acknowledged and stored, it ends with 0 in time, and Postgres with it', async () => {
    await started({ AGENTFLOW_DRAIN_DELAY_MS: '1000' });
    const { id: agent_id } = await anAgent(client);
    const ids = (await atOnce(WRITES, () => aRunningRun(client, { agent_id }))).map(({ id }) => id as string);
    const postmaster = postmasterOf(folder.path);
    const begun = await onPostgres(async (admin) => {
      const writes = await writesUnderWay(admin, ids);
      const told = performance.now();
      api.process.kill('SIGTERM');
      for (let ready = 200; ready !== 503;) ready = (await client.get('/readyz')).status;
      const report = (await client.get('/readyz')).body;
      expect(report).toMatchObject({ ready: false, database: 'ok', draining: true });
      await admin.query('ROLLBACK');
      expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
      return told;
    });
    expect(await api.ended).toBe(0);
    expect(performance.now() - begun).toBeLessThan(STOPS_WITHIN_MS);
    expect(isServing(postmaster)).toBe(false);

    await started();
    const stored = await onPostgres((admin) =>
      admin.query('SELECT FROM steps WHERE run_id = ANY ($1)', [ids]),
    );
    expect(stored.rowCount).toBe(WRITES);
  }, 60_000);

  it('[Z13] A second signal ends it at once and with 1, whatever is under way, and Postgres with it', async () => {
    await started();
    const { id } = await aRunningRun(client);
    const postmaster = postmasterOf(folder.path);
    await onPostgres(async (admin) => {
      const [write] = (await writesUnderWay(admin, [id])) as [Promise<number>];
      write.catch(() => undefined);
      api.process.kill('SIGTERM');
      await api.said(/"stopping"/);
      // Within a second, it would be the same request, delivered twice.
      const told = performance.now();
      while (performance.now() - told < 1_100) await admin.query('SELECT pg_sleep(0.1)');
      expect(api.process.exitCode).toBeNull();
      const again = performance.now();
      api.process.kill('SIGINT');
      expect(await api.ended).toBe(1);
      expect(performance.now() - again).toBeLessThan(1_000);
      await expect(write).rejects.toThrow();
    });
    expect(api.output().stdout).toContain('told to stop again');
    for (const end = performance.now() + 5_000; isServing(postmaster) && performance.now() < end;);
    expect(isServing(postmaster)).toBe(false);
  });

  it('[Z13] Open streams end at once, and go on from their last event with the next start', async () => {
    await started({ AGENTFLOW_DRAIN_DELAY_MS: '0' });
    const { id } = await aRunningRun(client);
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => openStream(api, `/v1/runs/${id}/events`, key)),
    );
    for (const stream of streams) expect(await stream.take(2)).toHaveLength(2);
    const bearer = { authorization: `Bearer ${key}` };
    const webSocket = await openWebSocket(api, `/ws/execution/${id}`, bearer);
    const mute = await openWebSocket(api, `/ws/execution/${id}`, bearer);
    mute.socket.pause();
    api.process.kill('SIGTERM');
    for (const stream of streams) expect(await stream.rest()).toEqual([]);
    expect(await webSocket.closed).toEqual([1001, 'come again']);
    expect(await api.ended).toBe(0);
    await started();
    await client.post(`/v1/runs/${id}/succeed`, { output: 1 });
    const again = await openStream(api, `/v1/runs/${id}/events`, key, { 'last-event-id': '2' });
    expect((await again.rest()).map(({ id: seq }) => seq)).toEqual(['3']);
  });

  it('[Z13] Connections that are kept alive, silent, or in the middle of a head do not hold it', async () => {
    await started();
    const agent = new Agent({ keepAlive: true });
    const [answer] = await once(get(`${api.url}/livez`, { agent }), 'response');
    answer.resume();
    await once(answer, 'end');
    const { hostname, port } = new URL(api.url);
    for (let i = 0; i < 2; i++) {
      const socket = createConnection({ host: hostname, port: Number(port) }).on('error', () => undefined);
      await once(socket, 'connect');
      sockets.push(socket);
    }
    const told = performance.now();
    expect(await api.stop()).toBe(0);
    expect(performance.now() - told).toBeLessThan(5_000);
    agent.destroy();
  });
});
