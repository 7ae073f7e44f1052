import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { head, rawExchange } from '../support/raw-http.js';
import { aKey, aProject, aRunningRun, aStep } from '../support/things.js';

/** A secret that stands nowhere else. */
const aCanary = (): string => `canary${randomUUID().replaceAll('-', '')}`;

/** What may stand in a line of the log. */
const MEMBERS = ['level', 'time', 'req_id', 'method', 'route', 'status', 'ms', 'tenant', 'key', 'msg', 'err'];
const ERROR_MEMBERS = ['type', 'message', 'code', 'constraint', 'stack'];

describe('the log', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_LOCK_TIMEOUT_MS: '300' });
  });
  afterAll(() => api.close());

  it('[X8] Requests that succeed leave no key, no payload, no name and no parameter in the log', async () => {
    const canary = aCanary();
    const project = await aProject(api.admin, { name: canary, description: canary });
    const { key } = await aKey(api.admin, { scope: 'project', project_id: project.id, name: canary });
    const agent = { name: canary, adapter: canary, config: { [canary]: canary } };
    const members = {
      agent,
      agent_id: undefined,
      input: canary,
      metadata: { canary },
      tags: [canary],
      session_id: canary,
    };
    const run = await api
      .as(key)
      .post('/v1/runs', { ...members, start: true }, { 'idempotency-key': canary });
    expect(run.status).toBe(201);
    await aStep(api.admin, run.body.id, { node: canary, input: { canary }, error: canary, model: canary });
    expect((await api.as(key).get(`/v1/runs?tag=${canary}`)).body.data).toHaveLength(1);
    expect(
      (await api.as(key).get('/v1/me', { 'user-agent': canary, cookie: canary, referer: canary })).status,
    ).toBe(200);
    expect(secretsIn(canary, key, api.adminKey)).toEqual([]);
  });

  it('[X8] Requests that are refused leave nothing of themselves in the log, whatever refuses them', async () => {
    const canary = aCanary();
    const wrong = api.as(`${api.adminKey.slice(0, -12)}${canary.slice(-12)}`);
    expect((await wrong.get('/v1/me')).status).toBe(401);
    expect((await api.as(canary).get('/v1/me')).status).toBe(401);
    expect((await api.admin.post('/v1/projects', `{"${canary}":"${canary}`)).status).toBe(400);
    expect((await api.admin.post('/v1/projects', { [canary]: canary })).status).toBe(400);
    expect((await api.admin.get(`/v1/runs?${canary}=${canary}`)).status).toBe(400);
    expect((await api.admin.get(`/${canary}/${canary}?${canary}`)).status).toBe(404);
    expect((await api.admin.get(`/v1/runs/${canary}`)).status).toBe(404);
    expect((await api.admin.post('/v1/projects', canary, { 'content-type': canary })).status).toBe(415);
    await rawExchange(api.url, [`${canary} / HTTP/1.1\r\n\r\n`]);
    await rawExchange(api.url, [head('GET', `/v1/runs?x=${canary.repeat(600)}`, canary)]);
    expect(secretsIn(canary)).toEqual([]);
  });

  it('[X8] [T22] A failure of the database, which quotes values, is logged and answered without them', async () => {
    const canary = aCanary();
    const run = await aRunningRun(api.admin);
    await connected(api.database.adminUrl, async (client) => {
      // The one is a value that the doors should have refused, the other a fault that nobody foresaw.
      await client.query(`ALTER TABLE messages ADD CONSTRAINT ck_no_canary CHECK (content !~ '^canary')`);
      await client.query(`CREATE FUNCTION burst() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'burst by %', NEW.content USING DETAIL = NEW.content; END $$`);
      await client.query(`CREATE TRIGGER burst BEFORE INSERT ON messages FOR EACH ROW
        WHEN (NEW.content ~ 'burst') EXECUTE FUNCTION burst()`);
    });
    const logged = api.log.length;
    const contents: [string, number][] = [
      [canary, 400],
      [`burst ${canary}`, 500],
      [`burst\n    at ${canary} (file:///x.js:1:1)`, 500],
      [`burst\n    at file:///${canary}.js:1:1\n`, 500],
    ];
    for (const [content, status] of contents) {
      const answer = await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', content });
      expect([content, answer.status]).toEqual([content, status]);
      expect(answer.text).not.toMatch(new RegExp(`${canary}|burst|ck_no|messages|canary`));
    }
    const errors = api.log
      .slice(logged)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= 50);
    expect(errors).toHaveLength(contents.length);
    for (const { err, req_id } of errors) {
      expect(req_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(err.stack).toMatch(/^\n {4}at /);
    }
    expect(secretsIn(canary)).toEqual([]);
  });

  it('[X9] Whatever a client sends, the log has one JSON object a line, with known members, and no control characters', async () => {
    const hostile = [
      '\r\n{"level":50,"msg":"forged"}',
      '\u001b[31mred\u001b[0m',
      '"}\n{"a":"',
      '\u2028\u2029',
      '\u0000',
      '%0d%0a',
    ];
    for (const text of hostile) {
      await api.admin.get(`/v1/runs?tag=${encodeURIComponent(text)}`);
      await api.admin.get(`/${encodeURIComponent(text)}`);
      await api.admin.post('/v1/projects', { name: text, description: text });
      await api.admin.post('/v1/projects', text);
      await rawExchange(api.url, [
        head('GET', `/v1/me?${text.replaceAll(/\s/g, '')}`, api.adminKey, `X-Note: ${text.trim()}`),
      ]);
    }
    expect(api.log.length).toBeGreaterThan(20);
    for (const line of api.log) {
      expect(line).toMatch(/^\{[^\u0000-\u001f\u2028\u2029]*\}$/);
      const { err, ...members } = JSON.parse(line) as Record<string, unknown>;
      expect(MEMBERS).toEqual(expect.arrayContaining(Object.keys(members)));
      expect(ERROR_MEMBERS).toEqual(expect.arrayContaining(Object.keys((err as object) ?? {})));
      expect(members['msg']).not.toContain('forged');
    }
  });

  /** The secrets that the log contains. */
  function secretsIn(...secrets: string[]): string[] {
    return secrets.flatMap((secret) => api.log.filter((line) => line.includes(secret)));
  }
});
