import { migrate } from '@agentflow/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  aFailedStart,
  anApiProcess,
  aWorkerProcess,
  type ApiProcess,
  type ProductProcess,
} from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aDatabase, anEmptyDatabase, type TestDatabase } from '../support/database.js';
import { aDatabaseDoor } from '../support/database-door.js';
import { aFolder, type Folder } from '../support/folder.js';
import { anAdminKey } from '../support/process-keys.js';
import { anAgent } from '../support/things.js';
import { theTruth } from '../support/truth.js';

describe('the worker in a process of its own', () => {
  let started: ProductProcess | undefined;
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    await started?.stop();
    started = undefined;
    for (const database of databases.splice(0)) await database.drop();
  });

  async function aWorker(url: string): Promise<ApiProcess> {
    const worker = await aWorkerProcess({ DATABASE_URL: url });
    started = worker;
    return worker;
  }
  const own = async (made: Promise<TestDatabase>): Promise<TestDatabase> => {
    databases.push(await made);
    return made;
  };
  const asked = async (worker: ApiProcess, path: string): Promise<number> =>
    (await fetch(worker.url + path)).status;
  /** Asks until it says so; the test's own limit ends it otherwise. */
  async function readyTurns(worker: ApiProcess, status: number): Promise<void> {
    while ((await asked(worker, '/readyz')) !== status);
  }

  it('Under its own role it waits, alive but not ready, until the schema is there; then it is ready, and SIGTERM ends it with 0', async () => {
    const database = await own(anEmptyDatabase());
    const worker = await aWorker(database.workerUrl);
    await worker.said(/waiting for an api process to migrate/);
    expect([await asked(worker, '/livez'), await asked(worker, '/readyz')]).toEqual([200, 503]);
    expect(await asked(worker, '/v1/me')).toBe(404);
    await migrate(database.adminUrl);
    await readyTurns(worker, 200);
    expect(await worker.stop()).toBe(0);
  });

  it('It waits for Postgres too, and SIGTERM ends it with 0 meanwhile', async () => {
    const worker = await aWorker('postgres://agentflow_worker@127.0.0.1:1/agentflow');
    await worker.said(/waiting for Postgres, which does not answer/);
    expect([await asked(worker, '/livez'), await asked(worker, '/readyz')]).toEqual([200, 503]);
    expect(await worker.stop()).toBe(0);
  });

  it('[Z4] Without its database it lives and is not ready, also when the database is silent, and is ready again by itself', async () => {
    const database = await own(aDatabase());
    const door = await aDatabaseDoor({ ...database, appUrl: database.workerUrl });
    const worker = await aWorker(door.database.appUrl);
    try {
      await readyTurns(worker, 200);
      for (const lose of [door.shut, door.silence]) {
        lose();
        await readyTurns(worker, 503);
        expect(await asked(worker, '/livez')).toBe(200);
        door.shut();
        door.open();
        await readyTurns(worker, 200);
      }
      expect(await worker.stop()).toBe(0);
    } finally {
      await door.close();
    }
  });

  it('Without a DATABASE_URL it says what is missing and ends with 1', async () => {
    const { code, text } = await aFailedStart({}, 'worker');
    expect([code, text]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
  });
});

describe('the background work of an api process', () => {
  let database: TestDatabase;
  let folder: Folder;
  beforeAll(async () => {
    [database, folder] = [await aDatabase(), aFolder()];
  });
  afterAll(async () => {
    await database.drop();
    folder.remove();
  });

  it('It is done in the api process unless AGENTFLOW_WORKER=off, and a worker beside it does it then', async () => {
    const [key, truth, kept] = [anAdminKey(), theTruth(database), randomUUID()];
    const settings = {
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_BOOTSTRAP_KEY: key,
      AGENTFLOW_DATA_DIR: folder.path,
    };
    const expire = () =>
      truth.query(`UPDATE idempotency_keys SET created_at = now() - interval '2 days' WHERE key = $1`, [
        kept,
      ]);
    const left = () => truth.count('idempotency_keys', 'key = $1', [kept]);
    const workers = () =>
      truth.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agentflow worker'`);

    const api = await anApiProcess({ ...settings, AGENTFLOW_WORKER: 'off' });
    const client = aClient(api.url, key);
    const { id: agent_id } = await anAgent(client);
    await client.post('/v1/runs', { agent_id }, { 'idempotency-key': kept });
    await expire();
    expect(await workers()).toEqual([]);
    expect(await api.stop()).toBe(0);
    expect(await left()).toBe(1);

    const worker = await aWorkerProcess({ DATABASE_URL: database.workerUrl });
    await worker.said(/"tidied up"/);
    expect(await left()).toBe(0);
    expect(await worker.stop()).toBe(0);

    const both = await anApiProcess({ ...settings, DATABASE_URL: database.adminUrl });
    expect(await workers()).not.toEqual([]);
    expect(await both.stop()).toBe(0);
    await truth.close();
  }, 60_000);
});
