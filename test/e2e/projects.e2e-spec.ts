import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aKey, aProject, anAgent } from '../support/things.js';

describe('projects', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('A project is created, shown, changed and deleted', async () => {
    const created = await api.admin.post('/v1/projects', { name: 'one', description: 'first' });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await api.admin.get(`/v1/projects/${id}`)).body).toEqual(created.body);
    const changed = await api.admin.patch(`/v1/projects/${id}`, { description: null });
    expect(changed.body).toMatchObject({ name: 'one', description: null });
    expect((await api.admin.delete(`/v1/projects/${id}`)).status).toBe(204);
    expect((await api.admin.get(`/v1/projects/${id}`)).status).toBe(404);
  });

  it('A name is unique in the organization, also when it changes', async () => {
    const [{ name }, other] = [await aProject(api.admin), await aProject(api.admin)];
    const twice = await api.admin.post('/v1/projects', { name });
    expect([twice.status, twice.body.code]).toEqual([409, 'name_taken']);
    const renamed = await api.admin.patch(`/v1/projects/${other.id}`, { name });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'name_taken']);
  });

  it('A project with agents is deleted only by cascade', async () => {
    const agent = await anAgent(api.admin);
    const refused = await api.admin.delete(`/v1/projects/${agent.project_id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'project.not_empty']);
    expect((await api.admin.delete(`/v1/projects/${agent.project_id}?cascade=true`)).status).toBe(204);
    expect((await api.admin.get(`/v1/agents/${agent.id}`)).status).toBe(404);
  });

  it('A project key sees its project only, an agent key none', async () => {
    const agent = await anAgent(api.admin);
    const ofProject = api.as((await aKey(api.admin, { scope: 'project', project_id: agent.project_id })).key);
    const ofAgent = api.as((await aKey(api.admin, { scope: 'agent', agent_id: agent.id })).key);
    expect((await ofProject.get('/v1/projects')).body.data.map((row: { id: string }) => row.id)).toEqual([
      agent.project_id,
    ]);
    expect((await ofAgent.get('/v1/projects')).body.data).toEqual([]);
    expect((await ofAgent.get(`/v1/projects/${agent.project_id}`)).status).toBe(404);
  });

  it('Pages go on from the cursor until there is none', async () => {
    for (let i = 0; i < 5; i++) await aProject(api.admin);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { id: string }[]; next_cursor: string | null } = (
        await api.admin.get(`/v1/projects?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body;
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const whole = (await api.admin.get('/v1/projects?limit=200')).body.data.map(
      (row: { id: string }) => row.id,
    );
    expect(seen).toEqual(whole);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('Faults of a body are listed all at once, each with its pointer', async () => {
    const answer = await api.admin.post('/v1/projects', { name: '', description: 5, extra: true });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      '/description',
      '/extra',
      '/name',
    ]);
  });
});
