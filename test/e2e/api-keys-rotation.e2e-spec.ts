import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aKey, aProject } from '../support/things.js';

interface Minted extends Record<string, unknown> {
  id: string;
  key: string;
  created_at: string;
}

describe('rotating API keys', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const aFreshKey = () => aKey(api.admin, { scope: 'organization' });
  const statusOf = async ({ key }: { key: string }): Promise<number> =>
    (await api.as(key).get('/v1/me')).status;

  async function rotated(key: { id: string }, grace_seconds?: number, by = api.admin): Promise<Minted> {
    const { status, body } = await by.post(`/v1/api-keys/${key.id}/rotate`, { grace_seconds });
    expect(status).toBe(201);
    return body;
  }

  /** Asks until the key has stopped; fails when it goes on for longer than that. */
  async function stops(key: { key: string }, withinMs: number): Promise<void> {
    for (const end = performance.now() + withinMs; (await statusOf(key)) !== 401;) {
      expect(performance.now()).toBeLessThan(end);
    }
  }

  it('[K8] both secrets work through the grace, then only the new one, however often the old one is tried', async () => {
    const old = await aFreshKey();
    const successor = await rotated(old, 2);
    expect(successor).toMatchObject({
      rotated_from: old.id,
      name: old.name,
      role: old.role,
      scope: old.scope,
    });
    expect(await Promise.all([statusOf(old), statusOf(successor)])).toEqual([200, 200]);
    await stops(old, 4_000);
    for (let again = 0; again < 10; again++) expect(await statusOf(old)).toBe(401);
    expect(await statusOf(successor)).toBe(200);
  });

  it('[K8] a rotation without a grace stops the old secret at once', async () => {
    const old = await aFreshKey();
    const successor = await rotated(old, 0);
    await stops(old, 1_500);
    expect(await statusOf(successor)).toBe(200);
  });

  it('[K8] the grace is a day when nobody says how long, and 30 days at most', async () => {
    const old = await aFreshKey();
    const { created_at } = await rotated(old);
    const { grace_until } = (await api.admin.get(`/v1/api-keys/${old.id}`)).body;
    expect(Date.parse(grace_until) - Date.parse(created_at)).toBe(86_400_000);
    for (const grace_seconds of [-1, 2_592_001, 1.5, '60']) {
      const { status } = await api.admin.post(`/v1/api-keys/${(await aFreshKey()).id}/rotate`, {
        grace_seconds,
      });
      expect(status).toBe(400);
    }
  });

  it('[K8] of a chain of rotations two secrets live at most, the last two', async () => {
    const chain = [await aFreshKey()];
    for (let link = 0; link < 5; link++) chain.push(await rotated(chain.at(-1), 3_600));
    const [last, secondLast, ...earlier] = chain.reverse();
    for (const key of earlier) await stops(key, 1_500);
    expect(await Promise.all([statusOf(last), statusOf(secondLast)])).toEqual([200, 200]);
  });

  it('[K8] a key that rotates itself carries on in its successor', async () => {
    const old = await aFreshKey();
    const successor = await rotated(old, 60, api.as(old.key));
    expect(successor.created_by).toBe(old.created_by);
    const next = await rotated(successor, 0, api.as(successor.key));
    await stops(successor, 1_500);
    await stops(old, 1_500);
    expect(await statusOf(next)).toBe(200);
  });

  it('[K8] [K11] revoking the old key in its grace leaves the successor alone', async () => {
    const old = await aFreshKey();
    const successor = await rotated(old, 3_600);
    expect((await api.admin.delete(`/v1/api-keys/${old.id}`)).status).toBe(204);
    await stops(old, 1_500);
    expect(await statusOf(successor)).toBe(200);
  });

  it('[K8] [K11] revoking the successor ends its predecessors, too', async () => {
    const old = await aFreshKey();
    const successor = await rotated(old, 3_600);
    const minted = await aKey(api.as(old.key), {
      scope: 'organization',
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    expect((await api.admin.delete(`/v1/api-keys/${successor.id}`)).status).toBe(204);
    for (const key of [old, successor, minted]) await stops(key, 1_500);
  });

  it('[K8] a key has one successor, even of two rotations at once', async () => {
    for (let round = 0; round < 10; round++) {
      const old = await aFreshKey();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          api.admin.post(`/v1/api-keys/${old.id}/rotate`, { grace_seconds: 60 }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('key.already_rotated');
    }
  });

  it('[K8] a revoked key has no successor', async () => {
    const old = await aFreshKey();
    await api.admin.delete(`/v1/api-keys/${old.id}`);
    const { status, body } = await api.admin.post(`/v1/api-keys/${old.id}/rotate`);
    expect([status, body.code]).toEqual([409, 'key.revoked']);
  });

  it("[K8] a project's key is rotated within its project", async () => {
    const project = await aProject(api.admin);
    const keeper = await aKey(api.admin, { scope: 'project', project_id: project.id });
    const worker = await aKey(api.admin, { scope: 'project', project_id: project.id, role: 'reporter' });
    const successor = await rotated(worker, 0, api.as(keeper.key));
    expect(successor).toMatchObject({ role: 'reporter', project_id: project.id, created_by: keeper.id });
    expect(await statusOf(successor)).toBe(200);
  });
});
