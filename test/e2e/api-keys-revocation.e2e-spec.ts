import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { keyMembers } from '../support/matrix/callers.js';
import { aPlace, type Place } from '../support/matrix/places.js';
import { aKey, aProject } from '../support/things.js';

describe('revoking API keys', () => {
  let api: TestApi;
  let other: TestApi;
  let superuser: pg.Client;
  let home: Place;

  beforeAll(async () => {
    api = await anApi();
    other = await anApi({}, api.database);
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    const { organization } = (await api.admin.get('/v1/me')).body;
    const project = await aProject(api.admin);
    home = await aPlace({ organizationId: organization.id, admin: api.admin }, project.id, []);
  });
  afterAll(async () => {
    await superuser.end();
    await other.close();
    await api.close();
  });

  const statusOf = async (key: string): Promise<number> => (await api.as(key).get('/v1/me')).status;

  /** Whether the key stops within a second or so; asks until it does. */
  async function dies(key: string): Promise<boolean> {
    for (const end = performance.now() + 1_500; performance.now() < end;) {
      if ((await statusOf(key)) === 401) return true;
    }
    return false;
  }

  it('[K6] no request that starts a second after the answer succeeds, in any process', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => aKey(api.admin, { scope: 'organization' })),
    );
    const late = await Promise.all(keys.map((key) => successesAfterRevocation(key)));
    expect(late.flat()).toEqual([]);
  });

  /** Asks both processes over and over, revokes, goes on, and tells which requests came through too late. */
  async function successesAfterRevocation({ id, key }: { id: string; key: string }): Promise<string[]> {
    let revokedAt = Infinity;
    const late: string[] = [];
    let successes = 0;
    const ask = async ({ as }: TestApi): Promise<void> => {
      while (performance.now() < revokedAt + 1_400) {
        const startedAt = performance.now();
        const { status } = await as(key).get('/v1/me');
        if (status === 200) successes++;
        if (status === 200 && startedAt >= revokedAt + 1_000) late.push(`${startedAt - revokedAt} ms after`);
      }
    };
    const asking = [ask(api), ask(other)];
    while (successes < 4)
      await api
        .as(key)
        .get('/v1/me')
        .then(({ status }) => (successes += Number(status === 200)));
    expect((await api.admin.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    revokedAt = performance.now();
    await Promise.all(asking);
    return late;
  }

  it('[K11] revoking a key revokes all that it minted, at any depth, and nothing else', async () => {
    const parent = await aKey(api.admin, keyMembers('organization', home));
    const child = await aKey(api.as(parent.key), keyMembers('project', home));
    const grandchild = await aKey(api.as(child.key), keyMembers('agent', home));
    const sibling = await aKey(api.admin, keyMembers('organization', home));
    expect((await api.admin.delete(`/v1/api-keys/${parent.id}`)).status).toBe(204);
    expect(await Promise.all([parent, child, grandchild].map(({ key }) => dies(key)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await statusOf(sibling.key)).toBe(200);
    const shown = await api.admin.get(`/v1/api-keys/${grandchild.id}`);
    expect(shown.body.revoked_at).not.toBeNull();
  });

  it('[K11] the successor of a minted key falls with the minter, whoever rotated it', async () => {
    const parent = await aKey(api.admin, keyMembers('organization', home));
    const child = await aKey(api.as(parent.key), keyMembers('project', home));
    const successor = (await api.admin.post(`/v1/api-keys/${child.id}/rotate`)).body;
    const minted = await aKey(api.as(successor.key), keyMembers('agent', home));
    await api.admin.delete(`/v1/api-keys/${parent.id}`);
    const doomed = [parent, child, successor, minted];
    expect(await Promise.all(doomed.map(({ key }) => dies(key)))).toEqual([true, true, true, true]);
  });

  it('[K11] a key that was stolen and rotated others loses what they were rotated to', async () => {
    const stolen = await aKey(api.admin, keyMembers('organization', home));
    const honest = await aKey(api.admin, keyMembers('organization', home));
    const taken = (await api.as(stolen.key).post(`/v1/api-keys/${honest.id}/rotate`)).body;
    expect(taken.created_by).toBe(stolen.id);
    await api.admin.delete(`/v1/api-keys/${stolen.id}`);
    expect(await dies(taken.key)).toBe(true);
    expect(await statusOf(honest.key)).toBe(200);
  });

  it('[K11] a revoked key mints nothing, not even in a process that has not yet heard of it', async () => {
    for (let round = 0; round < 10; round++) {
      const parent = await aKey(api.admin, keyMembers('organization', home));
      await other.as(parent.key).get('/v1/me');
      await api.admin.delete(`/v1/api-keys/${parent.id}`);
      const minting = await other
        .as(parent.key)
        .post('/v1/api-keys', { name: 'late', role: 'admin', scope: 'organization' });
      const rotating = await other.as(parent.key).post(`/v1/api-keys/${parent.id}/rotate`);
      expect([minting.status, rotating.status]).toEqual([401, 401]);
    }
    const { rows } = await superuser.query(`SELECT FROM api_keys WHERE name = 'late'`);
    expect(rows).toEqual([]);
  });

  it('[K11] what a doomed key is minting at the very moment is revoked with it', async () => {
    const grandparent = await aKey(api.admin, keyMembers('organization', home));
    const parent = await aKey(api.as(grandparent.key), keyMembers('project', home));
    await superuser.query(`
      CREATE FUNCTION hold_on() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END';
      CREATE TRIGGER hold_on BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION hold_on();
      SELECT pg_advisory_lock(4711)`);
    const minting = aKey(api.as(parent.key), keyMembers('agent', home));
    await waiting(1);
    const revoking = api.admin.delete(`/v1/api-keys/${grandparent.id}`);
    await waiting(2);
    await superuser.query('SELECT pg_advisory_unlock(4711)');
    const [minted, { status }] = await Promise.all([minting, revoking]);
    await superuser.query('DROP FUNCTION hold_on CASCADE');
    expect(status).toBe(204);
    expect(await dies(minted.key)).toBe(true);
  });

  /** Until so many transactions wait for a lock. */
  async function waiting(count: number): Promise<void> {
    for (;;) {
      const { rowCount } = await superuser.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rowCount === count) return;
    }
  }
});
