import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { tableDigests } from '../support/matrix/digest.js';
import { aKey, aProject } from '../support/things.js';

describe('requests about API keys', () => {
  let api: TestApi;
  let superuser: pg.Client;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  it.each<[string, Record<string, unknown>]>([
    ['no role', { role: undefined }],
    ['an empty role', { role: '' }],
    ['no scope', { scope: undefined }],
    ['null for the role', { role: null }],
    ['null for the scope', { scope: null }],
    ['a list of roles', { role: ['viewer'] }],
    ['a star', { role: '*' }],
    ['an unknown role', { role: 'owner' }],
    ['capitals', { role: 'Viewer' }],
    ['a scope in capitals', { scope: 'ORGANIZATION' }],
    ['the short name of a scope', { scope: 'org' }],
    ['permissions of its own', { permissions: ['*'] }],
    ['another tenant', { tenant_id: randomUUID() }],
    ['a project beside the organization', { project_id: randomUUID() }],
    ['null for the project', { project_id: null }],
    ['an agent beside the organization', { agent_id: randomUUID() }],
    ['a project key without a project', { scope: 'project' }],
    ['an agent key without an agent', { scope: 'agent' }],
    ['a digest', { digest: 'x', key_hash: 'x' }],
    ['a creator', { created_by: null }],
    ['a revocation that is none', { revoked_at: null }],
  ])('[K9] [T13] %s makes no key', async (_, change) => {
    const before = await tableDigests(superuser);
    const body = { name: 'x', role: 'viewer', scope: 'organization', ...change };
    const { status, body: problem } = await api.admin.post('/v1/api-keys', body);
    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it.each(['PUT', 'PATCH'])('[K10] no key is widened by %s: the method does not exist', async (method) => {
    const key = await aKey(api.admin, {
      scope: 'organization',
      role: 'viewer',
      expires_at: '2098-01-01T00:00:00Z',
    });
    const before = await tableDigests(superuser);
    const wider = {
      role: 'admin',
      scope: 'organization',
      expires_at: '2099-01-01T00:00:00Z',
      revoked_at: null,
    };
    for (const client of [api.admin, api.as(key.key)]) {
      const { status, headers } = await client.call(method, `/v1/api-keys/${key.id}`, wider);
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[K10] a rotation hands on what the key had, and takes nothing else', async () => {
    const project = await aProject(api.admin);
    const members = {
      scope: 'project',
      project_id: project.id,
      role: 'reporter',
      expires_at: '2098-01-01T00:00:00Z',
    };
    const key = await aKey(api.admin, members);
    for (const change of [
      { role: 'admin' },
      { scope: 'organization' },
      { expires_at: '2099-01-01T00:00:00Z' },
    ]) {
      const { status } = await api.admin.post(`/v1/api-keys/${key.id}/rotate`, {
        grace_seconds: 1,
        ...change,
      });
      expect(status).toBe(400);
    }
    const successor = (await api.admin.post(`/v1/api-keys/${key.id}/rotate`)).body;
    const inherited = ['name', 'scope', 'project_id', 'agent_id', 'role', 'expires_at'];
    expect(inherited.map((name) => successor[name])).toEqual(inherited.map((name) => key[name]));
  });

  it('[K10] whoever has less than a key may neither rotate nor revoke it', async () => {
    const [strong, weak] = [
      await aKey(api.admin, { scope: 'organization' }),
      await aKey(api.admin, { scope: 'organization', expires_at: '2098-01-01T00:00:00Z' }),
    ];
    const rotating = await api.as(weak.key).post(`/v1/api-keys/${strong.id}/rotate`);
    expect([rotating.status, rotating.body.reason]).toEqual([403, 'lives_longer']);
    const reporter = await aKey(api.admin, { scope: 'organization', role: 'operator' });
    expect((await api.as(reporter.key).delete(`/v1/api-keys/${strong.id}`)).status).toBe(403);
    expect((await api.as(strong.key).get('/v1/me')).status).toBe(200);
  });

  it('[K9] a narrower key neither sees nor touches a wider one, not even the one that minted it', async () => {
    const project = await aProject(api.admin);
    const wide = await aKey(api.admin, { scope: 'organization' });
    const narrow = api.as((await aKey(api.as(wide.key), { scope: 'project', project_id: project.id })).key);
    const before = await tableDigests(superuser);
    expect((await narrow.get(`/v1/api-keys/${wide.id}`)).status).toBe(404);
    expect((await narrow.post(`/v1/api-keys/${wide.id}/rotate`)).status).toBe(404);
    expect((await narrow.delete(`/v1/api-keys/${wide.id}`)).status).toBe(404);
    expect((await narrow.get('/v1/api-keys')).text).not.toContain(wide.public_id);
    expect(await tableDigests(superuser)).toEqual(before);
  });
});
