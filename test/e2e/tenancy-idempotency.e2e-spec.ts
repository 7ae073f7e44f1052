import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aCaller } from '../support/matrix/callers.js';
import { aTenancyWorld, type Place, type TenancyWorld } from '../support/matrix/places.js';
import { aKey } from '../support/things.js';

describe('idempotency keys of others', () => {
  let api: TestApi;
  let world: TenancyWorld;
  beforeAll(async () => {
    api = await anApi();
    world = await aTenancyWorld(api);
  });
  afterAll(() => api.close());

  /** Starts a run under an idempotency key, and tells which run it was and whether the answer is a stored one. */
  async function run(
    client: Client,
    { agentId }: Place,
    key: string,
  ): Promise<{ id: string; isReplay: boolean }> {
    const { status, body, headers } = await client.post(
      '/v1/runs',
      { agent_id: agentId },
      { 'idempotency-key': key },
    );
    expect([status, body.agent_id]).toEqual([201, agentId]);
    return { id: body.id, isReplay: headers.get('idempotency-replayed') === 'true' };
  }

  it('[T10] one idempotency key means something else in every organization, project and agent', async () => {
    const key = randomUUID();
    const { own, siblingAgent, siblingProject, foreign } = world;
    const runs = [
      await run(own.admin, own, key),
      await run(foreign.admin, foreign, key),
      await run(api.as((await aCaller('project', 'reporter', own)).key), own, key),
      await run(api.as((await aCaller('project', 'reporter', siblingProject)).key), siblingProject, key),
      await run(api.as((await aCaller('agent', 'reporter', own)).key), own, key),
      await run(api.as((await aCaller('agent', 'reporter', siblingAgent)).key), siblingAgent, key),
      await run(api.as((await aCaller('agent', 'reporter', siblingProject)).key), siblingProject, key),
    ];
    expect(runs.map(({ isReplay }) => isReplay)).toEqual(runs.map(() => false));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length);
  });

  it('[T10] two keys of one scope share it: the second gets the stored answer', async () => {
    const key = randomUUID();
    const [one, other] = [
      await aCaller('project', 'reporter', world.own),
      await aCaller('project', 'admin', world.own),
    ];
    const first = await run(api.as(one.key), world.own, key);
    expect(await run(api.as(other.key), world.own, key)).toEqual({ id: first.id, isReplay: true });
  });

  it('[T10] a stored answer is given only to a key that may do what was asked', async () => {
    const key = randomUUID();
    const [reporter, viewer] = [
      await aCaller('project', 'reporter', world.own),
      await aCaller('project', 'viewer', world.own),
    ];
    await run(api.as(reporter.key), world.own, key);
    const headers = { 'idempotency-key': key };
    const refused = await api.as(viewer.key).post('/v1/runs', { agent_id: world.own.agentId }, headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  it('[T10] another request under the same idempotency key learns nothing of the first', async () => {
    const key = randomUUID();
    const { id } = await run(world.own.admin, world.own, key);
    const headers = { 'idempotency-key': key };
    const reused = await world.own.admin.post('/v1/projects', { name: 'other' }, headers);
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency.key_reused']);
    expect(reused.text).not.toContain(id);
  });

  it('[T10] a key that was revoked gets no stored answer', async () => {
    const minted = await aKey(world.own.admin, { scope: 'organization', role: 'reporter' });
    const key = randomUUID();
    await run(api.as(minted.key), world.own, key);
    await world.own.admin.delete(`/v1/api-keys/${minted.id}`);
    const headers = { 'idempotency-key': key };
    const ask = () => api.as(minted.key).post('/v1/runs', { agent_id: world.own.agentId }, headers);
    for (const end = performance.now() + 1_500; (await ask()).status !== 401;) {
      expect(performance.now()).toBeLessThan(end);
    }
  });
});
