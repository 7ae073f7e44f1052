import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('what an Idempotency-Key stands for', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const keyed = (key: string, path: string, body: unknown, client: Client = api.admin) =>
    client.post(path, body, { 'idempotency-key': key });
  const isReplay = ({ headers }: { headers: Headers }): boolean =>
    headers.get('idempotency-replayed') === 'true';

  it.each([
    [
      'with its members in another order',
      (a: string) => `{"name":"n","input":{"b":[1,2],"a":1.0},"agent_id":"${a}"}`,
    ],
    [
      'with other whitespace',
      (a: string) => ` { "agent_id" : "${a}" ,\n"name":"n","input":{"a":1,"b":[1,2]} }`,
    ],
    [
      'with numbers spelt otherwise',
      (a: string) => `{"agent_id":"${a}","name":"n","input":{"a":1.0,"b":[10e-1,2]}}`,
    ],
    [
      'with strings escaped otherwise',
      (a: string) => `{"agent_id":"${a}","name":"\\u006e","input":{"a":1,"b":[1,2]}}`,
    ],
  ])('[I3] The same request %s is a repeat', async (_how, respelt) => {
    const key = randomUUID();
    const first = await keyed(key, '/v1/runs', { agent_id, name: 'n', input: { a: 1, b: [1, 2] } });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const again = await keyed(key, '/v1/runs', respelt(agent_id));
    expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true]);
  });

  it.each([
    ['another value', { input: { a: 2 } }],
    ['a value of another type', { input: { a: '1' } }],
    ['a member more', { input: { a: 1, b: null } }],
    ['a member less', {}],
    ['elements in another order', { input: { a: 1 }, tags: ['y', 'x'] }],
  ])('[I3] A request with %s is another request, and is refused', async (_what, other) => {
    const key = randomUUID();
    const tags = 'tags' in other ? { tags: ['x', 'y'] } : {};
    const first = await keyed(key, '/v1/runs', { agent_id, input: { a: 1 }, ...tags });
    const count = await truth.count('runs', 'agent_id = $1', [agent_id]);
    const refused = await keyed(key, '/v1/runs', { agent_id, ...other });
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency.key_reused']);
    expect(refused.text).not.toContain(first.body.id);
    expect(await truth.count('runs', 'agent_id = $1', [agent_id])).toBe(count);
  });

  it('[I3] The same body at another route, or at another run, is another request', async () => {
    const [one, two] = [
      await aRunningRun(api.admin, { agent_id }),
      await aRunningRun(api.admin, { agent_id }),
    ];
    const key = randomUUID();
    expect((await keyed(key, `/v1/runs/${one.id}/wait`, {})).status).toBe(200);
    for (const path of [
      `/v1/runs/${one.id}/succeed`,
      `/v1/runs/${two.id}/wait`,
      `/v1/agents/${agent_id}/versions/1/restore`,
    ]) {
      const refused = await keyed(key, path, {});
      expect([path, refused.status, refused.body.code]).toEqual([path, 422, 'idempotency.key_reused']);
    }
    // What is wrong by itself is refused for that, whatever its key.
    const wrong = await keyed(key, '/v1/projects', {});
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request']);
    expect((await api.admin.get(`/v1/runs/${two.id}`)).body.status).toBe('running');
    const shouted = await keyed(key, `/v1/runs/${one.id.toUpperCase()}/wait`, undefined);
    expect([shouted.status, isReplay(shouted)]).toEqual([200, true]);
  });

  it('[I3] Other methods repeat themselves and take no key', async () => {
    const key = randomUUID();
    await keyed(key, '/v1/runs', { agent_id });
    const path = `/v1/agents/${agent_id}`;
    const changed = await api.admin.call('PATCH', path, { description: key }, { 'idempotency-key': key });
    expect([changed.status, changed.body.description, isReplay(changed)]).toEqual([200, key, false]);
  });
});
