import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeKey } from '@agentflow/domain';
import { randomBytes } from 'node:crypto';
import { aFailedStart, anApiProcess } from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { aRunningRun } from '../support/things.js';

const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);

describe('what the process writes', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.drop());

  it('[X8] [X9] A process that serves, refuses, fails and stops writes no secret, and its log is JSON line by line', async () => {
    const secrets = { key: letters(43), root: `root_${letters(40)}`, payload: `canary${letters(20)}` };
    const bootstrapKey = composeKey('organization', letters(12), secrets.key);
    const api = await anApiProcess({
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_ROOT_KEY: secrets.root,
      AGENTFLOW_BOOTSTRAP_KEY: bootstrapKey,
      AGENTFLOW_DATA_DIR: await aFolder(),
    });
    const [admin, root] = [aClient(api.url, bootstrapKey), aClient(api.url, secrets.root)];
    expect(
      (await root.post('/v1/organizations', { name: secrets.payload, slug: secrets.payload })).status,
    ).toBe(201);
    const run = await aRunningRun(admin, { input: secrets.payload });
    expect((await admin.post('/v1/projects', `{"name":"${secrets.payload}`)).status).toBe(400);
    expect((await aClient(api.url, `${bootstrapKey}x`).get('/v1/me')).status).toBe(401);
    await connected(database.adminUrl, (client) =>
      client.query('ALTER TABLE messages RENAME TO messages_away'),
    );
    const content = secrets.payload;
    expect((await admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', content })).status).toBe(500);
    expect(await api.stop()).toBe(0);

    const { stdout, stderr } = api.output();
    for (const secret of [
      ...Object.values(secrets),
      passwordOf(database.appUrl),
      passwordOf(database.adminUrl),
    ]) {
      if (secret !== '') expect(stdout + stderr).not.toContain(secret);
    }
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
  }, 60_000);

  it('Every request has its line, also the last before a stop, with the moment of its answer', async () => {
    const api = await anApiProcess({
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_DATA_DIR: await aFolder(),
    });
    const stranger = aClient(api.url, undefined);
    const began = Date.now();
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      const answer = await stranger.get(i % 2 === 0 ? '/livez' : '/v1/me');
      ids.push(answer.headers.get('x-request-id') ?? '');
    }
    const ended = Date.now();
    expect(await api.stop()).toBe(0);
    const lines = api.output().stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.match(/"time":/g)?.length !== 1)).toEqual([]);
    const requests = lines.map((line) => JSON.parse(line)).filter(({ req_id }) => ids.includes(req_id));
    expect(requests.map(({ req_id }) => req_id)).toEqual(ids);
    const times = requests.map(({ time }) => time as number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.filter((time) => time < began || time > ended)).toEqual([]);
  }, 60_000);

  it('[X8] A start that fails says why, and quotes neither URL, password nor key', async () => {
    const secret = `canary${letters(20)}`;
    const starts: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: `postgres://agentflow_app:${secret}@127.0.0.1:1/agentflow` }, /./],
      [{ DATABASE_URL: withPassword(database.appUrl, secret) }, /./],
      [
        {
          DATABASE_URL: `postgres://u:${secret}@[::bad/x`,
          AGENTFLOW_MIGRATION_URL: secret,
          AGENTFLOW_ROOT_KEY: secret.slice(0, 20),
          AGENTFLOW_BOOTSTRAP_KEY: secret,
        },
        /4 fault\(s\)[^]*DATABASE_URL[^]*AGENTFLOW_MIGRATION_URL[^]*AGENTFLOW_ROOT_KEY[^]*AGENTFLOW_BOOTSTRAP_KEY/,
      ],
    ];
    for (const [settings, says] of starts) {
      const { code, text } = await aFailedStart({ AGENTFLOW_DATA_DIR: await aFolder(), ...settings });
      expect([Object.keys(settings), code]).toEqual([Object.keys(settings), 1]);
      expect(text).toMatch(says);
      expect(text).not.toContain(secret.slice(0, 20));
    }
  }, 90_000);
});

function passwordOf(url: string): string {
  return decodeURIComponent(new URL(url).password);
}

function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = password;
  return changed.href;
}

async function aFolder(): Promise<string> {
  const { mkdtemp } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  return mkdtemp(`${tmpdir()}/agentflow-test-`);
}
