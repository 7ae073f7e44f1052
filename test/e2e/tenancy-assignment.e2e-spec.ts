import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { exchange } from '../support/matrix/exchange.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';
import { PLAIN_SAMPLES } from '../support/matrix/samples.js';
import { filled, thingsOf } from '../support/matrix/targets.js';

/** What the server decides, or what other products could be talked into. */
const DECIDED: Readonly<Record<string, unknown>> = {
  ...{
    tenant_id: randomUUID(),
    organization_id: randomUUID(),
    project_id: randomUUID(),
    agent_id: randomUUID(),
  },
  ...{ id: randomUUID(), created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', index: 0 },
  ...{
    version: 1,
    status: 'succeeded',
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:00Z',
  },
  ...{ key_hash: 'x', digest: 'x', public_id: 'x', created_by: randomUUID(), is_admin: true, role: 'admin' },
  ...{ scope: 'organization', deleting_since: null, revoked_at: null, last_event_seq: 0, permissions: ['*'] },
};
const MANY = 20;

interface Fault {
  pointer: string;
}

describe('members that nobody may set', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let admin: Caller;
  let members: Record<string, string[]>;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    admin = await aCaller('organization', 'admin', world.own);
    members = await membersOfBodies();
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  /** The members that the served document gives to each body, by route. */
  async function membersOfBodies(): Promise<Record<string, string[]>> {
    const { paths, components } = (await api.admin.get('/openapi.json')).body;
    const found: Record<string, string[]> = {};
    for (const route of Object.keys(PLAIN_SAMPLES)) {
      const [method = '', path = ''] = route.split(' ');
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      const schema = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1);
      if (schema) found[route] = Object.keys(components.schemas[schema].properties ?? {});
    }
    return found;
  }

  it.each(Object.keys(PLAIN_SAMPLES).filter((route) => !/^(GET|DELETE)/.test(route)))(
    '[T13] %s takes nothing that the server decides',
    async (route) => {
      const known = members[route] ?? [];
      const [method = '', path = ''] = route.split(' ');
      const body = PLAIN_SAMPLES[route]?.body?.(world.own, admin) as Record<string, unknown> | undefined;
      const key = route === 'POST /v1/organizations' ? api.root.key : admin.key;
      const before = await tableDigests(superuser);
      const undeclared = Object.keys(DECIDED).filter((member) => !known.includes(member));
      const smuggled = Object.fromEntries(undeclared.map((member) => [member, DECIDED[member]]));
      const sent = {
        method,
        path: filled(path, thingsOf(world.own, path)),
        key,
        body: { ...smuggled, ...body },
      };
      const { status, text } = await exchange(api.url, sent);
      expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_request']);
      const pointers = JSON.parse(text).errors.map(({ pointer }: Fault) => pointer);
      expect(pointers.sort()).toEqual(
        undeclared
          .map((member) => `/${member}`)
          .slice(0, MANY)
          .sort(),
      );
      expect(await tableDigests(superuser)).toEqual(before);
    },
  );

  it('[T13] what is nested in a body is as strict', async () => {
    const agent = { name: 'n', adapter: 'custom', tenant_id: randomUUID(), id: randomUUID(), version: 9 };
    const { status, body } = await api.admin.post('/v1/runs', { agent, project_id: world.own.projectId });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: Fault) => pointer)).toEqual([
      '/agent/tenant_id',
      '/agent/id',
      '/agent/version',
    ]);
  });

  it('[T13] [T19] a member called __proto__ sets nothing on anything', async () => {
    const text = `{"name":"${randomUUID()}","__proto__":{"is_admin":true},"constructor":{"prototype":{"is_admin":true}}}`;
    const { status, body } = await api.admin.post('/v1/projects', text);
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: Fault) => pointer).sort()).toEqual(['/__proto__', '/constructor']);
    expect('is_admin' in {}).toBe(false);
  });
});
