import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ROOT_KEY, anApi, type TestApi } from '../support/api.js';
import { aClient } from '../support/client.js';
import { aKey, aProject, anOrganization } from '../support/things.js';

describe('organizations', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const aSlug = (): string => `o-${randomUUID()}`;

  it('The operator founds an organization, and its first admin key works at once', async () => {
    const slug = aSlug();
    const founded = await api.root.post('/v1/organizations', { name: 'Acme', slug });
    expect(founded.status).toBe(201);
    const { api_key, ...organization } = founded.body;
    expect(api_key).toMatchObject({ scope: 'organization', role: 'admin', created_by: null });
    const admin = api.as(api_key.key);
    expect((await admin.get('/v1/organization')).body).toEqual(organization);
    await aProject(admin);
  });

  it('A slug is unique in the installation, also of two at once, and the loser leaves nothing', async () => {
    const slug = aSlug();
    const answers = await Promise.all(
      [1, 2, 3].map((i) => api.root.post('/v1/organizations', { name: `${i}`, slug })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('slug_taken');
  });

  it('A founding that is repeated under its idempotency key founds one organization', async () => {
    const [body, headers] = [{ name: 'Twice', slug: aSlug() }, { 'idempotency-key': randomUUID() }];
    const answers = await Promise.all([1, 2, 3].map(() => api.root.post('/v1/organizations', body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.body.api_key.key !== null)).toHaveLength(1);
    const other = await api.root.post('/v1/organizations', { ...body, slug: aSlug() }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency.key_reused']);
  });

  it('[T9] names of one organization mean nothing in another', async () => {
    const { api_key } = await anOrganization(api.root, { name: 'Same' });
    await anOrganization(api.root, { name: 'Same' });
    const other = api.as(api_key.key);
    const { name } = await aProject(api.admin);
    await aProject(other, { name });
  });

  it.each(['viewer', 'reporter', 'operator', 'admin'])('[T1] no %s founds an organization', async (role) => {
    const { key } = await aKey(api.admin, { scope: 'organization', role });
    const { status, body } = await api.as(key).post('/v1/organizations', { name: 'x', slug: aSlug() });
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  it('[T1] the operator sees no organization, not even the one that he has just founded', async () => {
    const founded = await anOrganization(api.root);
    const project = await aProject(api.as(founded.api_key.key));
    expect((await api.root.get(`/v1/projects/${project.id}`)).status).toBe(404);
    for (const path of [
      '/v1/organization',
      '/v1/projects',
      '/v1/agents',
      '/v1/runs',
      '/v1/api-keys',
      '/v1/me',
    ]) {
      expect((await api.root.get(path)).status).toBe(403);
    }
    expect((await api.root.post('/v1/projects', { name: 'x' })).status).toBe(403);
  });

  it('Without a root key in the configuration there is no such door', async () => {
    const closed = await anApi({ AGENTFLOW_ROOT_KEY: '' }, api.database);
    const operator = aClient(closed.url, ROOT_KEY);
    expect((await operator.post('/v1/organizations', { name: 'x', slug: aSlug() })).status).toBe(401);
    await closed.close();
  });

  it('[K4] apis of one process, each with its own database and root key, do not answer for each other', async () => {
    const other = await anApi({ AGENTFLOW_ROOT_KEY: 'another_root_key_of_another_api' });
    const statuses = async (url: string): Promise<number[]> => {
      const keys = [api.adminKey, other.adminKey, ROOT_KEY, 'another_root_key_of_another_api'];
      return Promise.all(keys.map(async (key) => (await aClient(url, key).get('/v1/organization')).status));
    };
    expect(await statuses(api.url)).toEqual([200, 401, 403, 401]);
    expect(await statuses(other.url)).toEqual([401, 200, 401, 403]);
    await other.close();
    expect(await statuses(api.url)).toEqual([200, 401, 403, 401]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['/name', '/slug']],
    ['a slug in capitals', { name: 'x', slug: 'Acme' }, ['/slug']],
    ['a slug that begins with a dash', { name: 'x', slug: '-a' }, ['/slug']],
    ['a slug that is too long', { name: 'x', slug: 'a'.repeat(64) }, ['/slug']],
    ['an empty name', { name: ' ', slug: 'a' }, ['/name']],
  ])('%s founds no organization', async (_, body, pointers) => {
    const { status, body: problem } = await api.root.post('/v1/organizations', body);
    expect(status).toBe(400);
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers);
  });

  it('[T13] an organization is founded with a name and a slug, and with nothing that the server decides', async () => {
    const decided = ['id', 'tenant_id', 'created_at', 'updated_at', 'settings', 'api_key', 'is_admin'];
    for (const name of decided) {
      const { status, body } = await api.root.post('/v1/organizations', {
        name: 'x',
        slug: aSlug(),
        [name]: randomUUID(),
      });
      expect([status, body.errors?.[0].pointer]).toEqual([400, `/${name}`]);
    }
  });
});
