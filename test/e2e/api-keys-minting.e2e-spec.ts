import { ROLES, SCOPE_KINDS, type Role, type ScopeKind } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, keyMembers, type Caller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { comparable, exchange } from '../support/matrix/exchange.js';
import { PLACES, aTenancyWorld, type Place, type TenancyWorld } from '../support/matrix/places.js';
import { aKey } from '../support/things.js';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, reporter: 1, operator: 2, admin: 3 };
const WIDTH: Readonly<Record<ScopeKind, number>> = { agent: 0, project: 1, organization: 2 };

describe('minting API keys', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let notFound: string;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    const missing = { method: 'GET', path: `/v1/projects/${randomUUID()}`, key: api.adminKey };
    notFound = comparable(await exchange(api.url, missing));
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  /** What a minter must be answered, by the design: 404 out of sight, 403 when it is more than he has. */
  function expected(minter: Caller, scope: ScopeKind, role: Role, target: Place): number {
    if (minter.role !== 'admin') return 403;
    const isForeign = target.organizationId !== minter.home.organizationId;
    const isOutside =
      (minter.scope !== 'organization' && target.projectId !== minter.home.projectId) ||
      (minter.scope === 'agent' && target.agentId !== minter.home.agentId);
    if (scope === 'organization') return minter.scope === 'organization' ? 201 : 403;
    // An agent's key does not even see its project.
    if (isForeign || isOutside || WIDTH[scope] > WIDTH[minter.scope]) return 404;
    return RANK[role] <= RANK[minter.role] ? 201 : 403;
  }

  describe.each(SCOPE_KINDS)('a key of the scope %s', (minterScope) => {
    it.each(ROLES)(
      '[K9] in the role %s makes out only keys that see no wider and can do no more',
      async (minterRole) => {
        const minter = await aCaller(minterScope, minterRole, world.own);
        const client = api.as(minter.key);
        for (const scope of SCOPE_KINDS) {
          for (const role of ROLES) {
            for (const place of minterRole === 'admin' ? PLACES : (['own'] as const)) {
              const target = world[place];
              const body = { name: 'minted', role, ...keyMembers(scope, target) };
              const { status, body: minted } = await client.post('/v1/api-keys', body);
              const said = { scope, role, place, status };
              expect(said).toEqual({ ...said, status: expected(minter, scope, role, target) });
              if (status === 201)
                expect(minted).toMatchObject({ scope, role, created_by: (await me(minter)).key.id });
            }
          }
        }
      },
    );
  });

  const me = async ({ key }: Caller) => (await api.as(key).get('/v1/me')).body;

  it('[K9] a project or an agent of somebody else is answered like one that is not there, and nothing is written', async () => {
    const minter = await aCaller('project', 'admin', world.own);
    const before = await tableDigests(superuser);
    for (const target of [
      world.siblingProject,
      world.foreign,
      { projectId: randomUUID(), agentId: randomUUID() },
    ]) {
      for (const scope of ['project', 'agent'] as const) {
        const body = { name: 'x', role: 'viewer', ...keyMembers(scope, target as Place) };
        const sent = { method: 'POST', path: '/v1/api-keys', key: minter.key, body };
        expect(comparable(await exchange(api.url, sent))).toBe(notFound);
      }
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[K9] [K11] a key lives no longer than the one that minted it', async () => {
    const parent = await aKey(api.admin, { scope: 'organization', expires_at: '2099-01-01T00:00:00Z' });
    const outcomes = [];
    for (const expires_at of [
      undefined,
      '2099-01-01T00:00:00.000001Z',
      '2099-01-01T00:00:00Z',
      '2098-01-01T00:00:00Z',
    ]) {
      const body = { name: 'x', role: 'viewer', scope: 'organization', expires_at };
      const { status, body: answer } = await api.as(parent.key).post('/v1/api-keys', body);
      outcomes.push([status, answer.reason ?? answer.expires_at]);
    }
    expect(outcomes).toEqual([
      [403, 'lives_longer'],
      [403, 'lives_longer'],
      [201, '2099-01-01T00:00:00.000000Z'],
      [201, '2098-01-01T00:00:00.000000Z'],
    ]);
  });

  it('[K9] [K11] a rotated key mints nothing that outlives its grace', async () => {
    const rotated = await aKey(api.admin, { scope: 'organization' });
    await api.admin.post(`/v1/api-keys/${rotated.id}/rotate`, { grace_seconds: 3_600 });
    const { grace_until } = (await api.admin.get(`/v1/api-keys/${rotated.id}`)).body;
    const mint = (expires_at?: string) =>
      api
        .as(rotated.key)
        .post('/v1/api-keys', { name: 'x', role: 'viewer', scope: 'organization', expires_at });
    expect((await mint()).body.reason).toBe('lives_longer');
    expect((await mint('2099-01-01T00:00:00Z')).body.reason).toBe('lives_longer');
    expect((await mint(grace_until)).status).toBe(201);
  });
});
