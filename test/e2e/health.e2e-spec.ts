import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Readiness } from '../../apps/api/src/health/readiness.js';
import { anApi, type TestApi } from '../support/api.js';
import { aDatabaseDoor, type DatabaseDoor } from '../support/database-door.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { aKey, aMessage, aRunningRun, anAgent } from '../support/things.js';

describe('health', () => {
  let database: TestDatabase;
  let door: DatabaseDoor;
  let api: TestApi;
  beforeAll(async () => {
    database = await aDatabase();
    door = await aDatabaseDoor(database);
    api = await anApi({ AGENTFLOW_POOL_TIMEOUT_MS: '1000' }, door.database);
  });
  afterAll(async () => {
    await api.close();
    await door.close();
    await database.drop();
  });

  const ready = () => api.as(undefined).get('/readyz');

  /** Asks until the answer is the one that is waited for; the suite's own time limit ends it otherwise. */
  async function readyTurns(status: 200 | 503): Promise<Awaited<ReturnType<typeof ready>>> {
    for (;;) {
      const answer = await ready();
      if (answer.status === status) return answer;
    }
  }

  it('Whoever asks without a key learns whether the process lives and takes requests, and its version', async () => {
    const anybody = api.as(undefined);
    expect((await anybody.get('/livez')).body).toEqual({ live: true });
    expect((await anybody.get('/readyz')).body).toEqual({
      ready: true,
      database: 'ok',
      migrations: 'ok',
      draining: false,
    });
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect((await anybody.get('/version')).body).toEqual({ name: 'agentflow', version });
    for (const path of ['/livez', '/readyz', '/metrics', '/version']) {
      expect([path, (await anybody.call('HEAD', path)).status]).toEqual([path, 200]);
    }
  });

  it('[Z4] Without its database the process lives and is not ready, and it is ready again by itself', async () => {
    door.shut();
    const { body } = await readyTurns(503);
    expect(body).toMatchObject({ ready: false, database: 'unavailable', migrations: 'unknown' });
    expect((await api.as(undefined).get('/livez')).status).toBe(200);
    const refused = await api.admin.get('/v1/projects');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    door.open();
    await readyTurns(200);
    expect((await api.admin.get('/v1/projects')).status).toBe(200);
  });

  it('[Z4] A database that is silent is none: the answer comes while balancers still wait', async () => {
    await readyTurns(200);
    door.silence();
    const { body } = await readyTurns(503);
    expect(body).toMatchObject({ ready: false, database: 'unavailable' });
    door.shut();
    door.open();
    await readyTurns(200);
  });

  it('[M4] [Z14] A schema that lacks a migration is not ready; one of a newer version is, so that versions can overlap', async () => {
    await readyTurns(200);
    await connected(database.adminUrl, (client) =>
      client.query(
        `UPDATE schema_migrations SET name = 'later' WHERE id = (SELECT max(id) FROM schema_migrations)`,
      ),
    );
    // The last one is missing, and one that this version does not know is there.
    expect((await readyWith('newer')).status).toBe(200);
    await connected(database.adminUrl, (client) =>
      client.query(`DELETE FROM schema_migrations WHERE name = 'later'`),
    );
    expect((await readyWith('pending')).status).toBe(503);
  });

  async function readyWith(migrations: string): Promise<Awaited<ReturnType<typeof ready>>> {
    for (;;) {
      const answer = await ready();
      if (answer.body.migrations === migrations) return answer;
    }
  }

  it('[Z13] A process that drains is not ready, and still answers what reaches it', async () => {
    const drained = await anApi();
    drained.app.get(Readiness).startDraining();
    const answer = await drained.as(undefined).get('/readyz');
    expect([answer.status, answer.body.draining]).toEqual([503, true]);
    expect((await drained.admin.get('/v1/projects')).status).toBe(200);
    await drained.close();
  });
});

describe('metrics', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const metrics = async (): Promise<string> => (await api.as(undefined).get('/metrics')).text;
  const namesIn = (text: string): string[] =>
    [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name as string);

  it('Figures have the form that Prometheus reads, and the names that dashboards rely on', async () => {
    const answer = await api.as(undefined).get('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(namesIn(answer.text)).toEqual(
      expect.arrayContaining([
        'agentflow_http_request_seconds',
        'agentflow_database_connections',
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_seconds',
      ]),
    );
    for (const line of answer.text.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
      expect(line).toMatch(
        /^[a-z_:][a-z0-9_:]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? (-?[0-9.e+-]+|NaN|\+Inf)$/i,
      );
    }
  });

  it('[X8] Figures tell of no tenant: no name, no id, no key, no payload, no address that was asked for', async () => {
    const canary = `canary${Date.now()}`;
    const agent = await anAgent(api.admin, { name: canary });
    const run = await aRunningRun(api.admin, { agent_id: agent.id, session_id: canary, tags: [canary] });
    await aMessage(api.admin, run.id, { content: canary });
    const key = await aKey(api.admin, { scope: 'agent', agent_id: agent.id });
    await api.as(key.key).get(`/v1/runs/${run.id}`);
    await api.admin.get(`/v1/runs?tag=${canary}`);
    await api.admin.get(`/${canary}/${run.id}`);
    const text = await metrics();
    for (const secret of [canary, agent.id, run.id, key.public_id, key.id, api.adminKey.slice(7, 19)]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('route="/v1/runs/:run_id"');
  });

  it('[R8] Addresses that nobody declared make no figures of their own, however many there are', async () => {
    const series = (text: string): number =>
      text.split('\n').filter((line) => line.includes('_count{')).length;
    await api.as(undefined).get('/nowhere');
    const before = series(await metrics());
    for (let i = 0; i < 50; i++) await api.as(undefined).get(`/nowhere-${i}/x`);
    expect(series(await metrics())).toBe(before);
  });
});
