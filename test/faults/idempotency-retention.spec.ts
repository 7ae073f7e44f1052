import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aRun, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('what is kept under an Idempotency-Key, and how long', () => {
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
  const age = (key: string, by: string) =>
    truth.query(`UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1`, [key, by]);

  it('[I4] A refusal pins nothing: the corrected request goes through under the same key', async () => {
    const key = randomUUID();
    const run = await aRun(api.admin, { agent_id });
    for (const [path, body, status] of [
      ['/v1/runs', { agent_id, lease_seconds: 0 }, 400],
      ['/v1/runs', '{"agent_id":', 400],
      ['/v1/runs', { agent_id: randomUUID() }, 404],
      [`/v1/runs/${run.id}/succeed`, {}, 409],
    ] as [string, object, number][]) {
      expect((await keyed(key, path, body)).status).toBe(status);
    }
    expect(await truth.count('idempotency_keys', 'key = $1', [key])).toBe(0);
    const done = await keyed(key, '/v1/runs', { agent_id });
    expect([done.status, isReplay(done)]).toEqual([201, false]);
    expect(isReplay(await keyed(key, '/v1/runs', { agent_id }))).toBe(true);
  });

  it('[I4] A request that the database rolled back leaves nothing, and is carried out once when it comes again', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const path = `/v1/runs/${run.id}/steps`;
    const key = randomUUID();
    await truth.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'too slow' USING ERRCODE = 'query_canceled'; END $$`);
    await truth.query('CREATE TRIGGER fail AFTER INSERT ON steps FOR EACH ROW EXECUTE FUNCTION fail()');
    const failed = await keyed(key, path, { node: 'plan' });
    await truth.query('DROP FUNCTION fail CASCADE');
    expect([failed.status, failed.body.code, failed.headers.get('retry-after')]).toEqual([
      503,
      'timeout',
      '1',
    ]);
    expect(await truth.count('idempotency_keys', 'key = $1', [key])).toBe(0);
    const done = await keyed(key, path, { node: 'plan' });
    expect([done.status, done.body.index, isReplay(done)]).toEqual([201, 0, false]);
    expect(isReplay(await keyed(key, path, { node: 'plan' }))).toBe(true);
    expect(await truth.count('steps', 'run_id = $1', [run.id])).toBe(1);
  });

  it.each(['', ' ', 'x'.repeat(256), 'a\tb', 'schlüssel', '\u0080'])(
    '[I5] The key %j is refused',
    async (key) => {
      const refused = await keyed(key, '/v1/runs', { agent_id });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, 'Idempotency-Key']);
    },
  );

  it.each([1, 255])('[I5] A key of %i characters is taken', async (length) => {
    const key = 'k~'.repeat(200).slice(0, length);
    expect((await keyed(key, '/v1/runs', { agent_id })).status).toBe(201);
    expect(isReplay(await keyed(key, '/v1/runs', { agent_id }))).toBe(true);
  });

  it('[I5] An answer is kept for 24 hours, and then the key is as new', async () => {
    const key = randomUUID();
    const first = await keyed(key, '/v1/runs', { agent_id });
    await age(key, '23:59');
    expect((await keyed(key, '/v1/runs', { agent_id })).text).toBe(first.text);
    await age(key, '24:01');
    const second = await keyed(key, '/v1/runs', { agent_id, name: 'other' });
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await keyed(key, '/v1/runs', { agent_id, name: 'other' })).text).toBe(second.text);
    expect((await keyed(key, '/v1/runs', { agent_id })).status).toBe(422);
  });

  it.each(['still there', 'tidied away'])(
    '[I5] The operator’s key founds one organization a day, the old answer being %s',
    async (state) => {
      const key = randomUUID();
      const found = (slug: string) => keyed(key, '/v1/organizations', { name: 'n', slug }, api.root);
      const ids = [];
      for (const slug of ['a', 'b', 'c'].map((letter) => `${letter}-${randomUUID()}`)) {
        const first = await found(slug);
        expect([first.status, isReplay(first)]).toEqual([201, false]);
        const again = await found(slug);
        expect([again.status, isReplay(again), again.body.api_key.key]).toEqual([201, true, null]);
        expect(again.body.id).toBe(first.body.id);
        expect((await found(`other-${slug}`)).status).toBe(422);
        expect((await api.as(first.body.api_key.key).get('/v1/organization')).body.slug).toBe(slug);
        ids.push(first.body.id);
        if (state === 'still there') await age(key, '24:01');
        else await truth.query('DELETE FROM idempotency_keys WHERE key = $1', [key]);
      }
      expect(new Set(ids).size).toBe(3);
    },
  );
});
