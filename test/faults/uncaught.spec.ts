import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anApiProcess, aWorkerProcess, type ApiProcess } from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { aFolder, type Folder } from '../support/folder.js';
import { isServing, postmasterOf } from '../support/postmaster.js';
import { anAdminKey } from '../support/process-keys.js';
import { aRunningRun } from '../support/things.js';

/** What makes a process meet an error that nobody catches: see `uncaught.mjs`. */
const SURPRISES = [
  ['an exception', 'SIGUSR2', { type: 'TypeError', message: 'thrown where nobody listens' }],
  ['a rejection', 'SIGWINCH', { type: 'Error', message: 'database: unique_violation' }],
] as const;

describe('an error that nobody catches', () => {
  const secret = `canary${randomBytes(20).toString('hex')}`;
  const key = anAdminKey();
  const options = { imports: ['./test/support/uncaught.mjs'] };
  let database: TestDatabase;
  let folder: Folder;
  /** Empty, so that the cluster is kept in it and goes with it. */
  let cluster: Folder;
  let started: ApiProcess | undefined;
  beforeAll(async () => {
    [database, folder, cluster] = [await aDatabase(), aFolder(), aFolder()];
  });
  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });
  afterAll(async () => {
    await database.drop();
    folder.remove();
    cluster.remove();
  });

  const settings = () => ({
    AGENTFLOW_DATA_DIR: folder.path,
    AGENTFLOW_BOOTSTRAP_KEY: key,
    TEST_SECRET: secret,
  });
  const onDatabase = () => ({
    ...settings(),
    DATABASE_URL: database.appUrl,
    AGENTFLOW_MIGRATION_URL: database.adminUrl,
    AGENTFLOW_WORKER: 'off',
  });

  /** The process ends by itself, non-zero, and tells once what it met, and no secret. */
  async function expectEnd(met: ApiProcess, error: object, secrets: string[]): Promise<void> {
    expect(await met.ended).toBe(1);
    const { stdout, stderr } = met.output();
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number });
    const fatal = lines.filter(({ level }) => level === 60);
    expect(fatal).toEqual([expect.objectContaining({ msg: 'an error that nobody caught' })]);
    expect(fatal[0]).toMatchObject({ err: { ...error, stack: expect.stringContaining('uncaught.mjs') } });
    for (const one of [secret, ...secrets]) expect(stdout + stderr).not.toContain(one);
  }

  it.each(SURPRISES)(
    '[Z12] The api that meets %s logs it once and without secrets, closes and ends with 1',
    async (_, signal, error) => {
      started = await anApiProcess(onDatabase(), options);
      const client = aClient(started.url, key);
      expect((await client.get('/livez')).status).toBe(200);
      started.process.kill(signal);
      await expectEnd(started, error, [key]);
      const names = await connected(database.adminUrl, (admin) =>
        admin.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      );
      expect(names.rowCount).toBe(0);
    },
  );

  it.each(SURPRISES)('[Z12] The worker that meets %s does the same', async (_, signal, error) => {
    started = await aWorkerProcess({ DATABASE_URL: database.workerUrl, TEST_SECRET: secret }, options);
    await started.said(/"working"/);
    started.process.kill(signal);
    await expectEnd(started, error, [database.workerUrl]);
  });

  it('[Z12] A write under way is finished and acknowledged before the process ends, and the embedded Postgres ends with it', async () => {
    const given = { ...settings(), AGENTFLOW_DATA_DIR: cluster.path };
    started = await anApiProcess(given, options);
    const client = aClient(started.url, key);
    const { id } = await aRunningRun(client);
    const postmaster = postmasterOf(cluster.path);
    expect(isServing(postmaster)).toBe(true);
    const written = client.post(`/v1/runs/${id}/steps`, { node: 'plan' });
    await started.said(/"route":"\/v1\/runs","status":201/);
    started.process.kill('SIGUSR2');
    const { status } = await written.catch(() => ({ status: 0 }));
    await expectEnd(started, SURPRISES[0][2], [key]);
    expect(isServing(postmaster)).toBe(false);

    // Refused because it came too late, or acknowledged and stored: never acknowledged and lost.
    started = await anApiProcess(given, options);
    const again = aClient(started.url, key);
    const stored = (await again.get(`/v1/runs/${id}/steps`)).body.data.length;
    if (status === 201) expect(stored).toBe(1);
  }, 60_000);

  it('[Z12] A request that fails in a way nobody foresaw gets the generic 500, and the process goes on', async () => {
    started = await anApiProcess(onDatabase(), options);
    const client = aClient(started.url, key);
    const { id } = await aRunningRun(client);
    const rename = (from: string, to: string) =>
      connected(database.adminUrl, (admin) => admin.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('checkpoints', 'checkpoints_away');
    const checkpoint = { label: secret, state: { secret } };
    const failed = await client.post(`/v1/runs/${id}/checkpoints`, checkpoint);
    await rename('checkpoints_away', 'checkpoints');
    expect([failed.status, Object.keys(failed.body).sort()]).toEqual([
      500,
      ['code', 'instance', 'status', 'title', 'type'],
    ]);
    expect(failed.body.code).toBe('internal');
    expect((await client.post(`/v1/runs/${id}/checkpoints`, checkpoint)).status).toBe(201);
    expect(started.process.exitCode).toBeNull();
    expect(await started.stop()).toBe(0);
    const { stdout, stderr } = started.output();
    expect(stdout.match(/"request failed"/g)).toHaveLength(1);
    expect(stdout).toContain(failed.headers.get('x-request-id'));
    expect(stdout + stderr).not.toContain(secret);
  });
});
