import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aProject, aRun, anAgent, anOrganization } from '../support/things.js';

const versionsOf = (api: TestApi, id: string) => everyRow(api.admin, `/v1/agents/${id}/versions`, 50);

describe('agents', () => {
  let api: TestApi;
  let project_id: string;
  beforeAll(async () => {
    api = await anApi();
    project_id = (await aProject(api.admin)).id;
  });
  afterAll(() => api.close());

  it('A new agent has version 1 with the note "initial", and says what was said of it', async () => {
    const said = { project_id, name: 'one', adapter: 'langgraph', config: { m: [1] }, description: 'why' };
    const made = await api.admin.post('/v1/agents', said);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...said, version: 1 });
    expect((await api.admin.get(`/v1/agents/${made.body.id}`)).text).toBe(made.text);
    const [first, ...more] = await versionsOf(api, made.body.id);
    expect(first).toMatchObject({ version: 1, note: 'initial', config: { m: [1] }, description: 'why' });
    expect(more).toEqual([]);
    const bare = await anAgent(api.admin, { project_id });
    expect(bare).toMatchObject({ config: {}, description: null });
  });

  it.each([
    ['adapter', { adapter: 'autogen' }],
    ['config', { config: { model: 'm', steps: [1, 3] } }],
    ['description', { description: 'other' }],
    ['cleared description', { description: null }],
  ])('A different %s makes the next version, with its note', async (_what, change) => {
    const before = { adapter: 'custom', config: { model: 'm', steps: [1, 2] }, description: 'why' };
    const agent = await anAgent(api.admin, { project_id, ...before });
    const changed = await api.admin.patch(`/v1/agents/${agent.id}`, { ...change, note: 'because' });
    expect(changed.body).toMatchObject({ ...before, ...change, version: 2 });
    const [second, first] = await versionsOf(api, agent.id);
    expect(second).toMatchObject({ ...before, ...change, version: 2, note: 'because' });
    expect(first).toMatchObject({ ...before, version: 1, note: 'initial' });
  });

  it.each([
    ['a rename', '{"name":"NEW","note":"n"}'],
    ['nothing', '{"note":"n"}'],
    ['an equal adapter', '{"adapter":"custom","note":"n"}'],
    ['an equal description', '{"description":"why","note":"n"}'],
    [
      'a config that is only spelt otherwise',
      '{"config": {"steps":[1.0,2e0], "model":"\\u006d"},"note":"n"}',
    ],
  ])('%s makes no version, and keeps no note', async (_what, text) => {
    const config = { model: 'm', steps: [1, 2] };
    const agent = await anAgent(api.admin, { project_id, config, description: 'why' });
    const body = text.replace('NEW', `new ${randomUUID()}`);
    const changed = await api.admin.patch(`/v1/agents/${agent.id}`, body);
    expect([changed.status, changed.body.version]).toEqual([200, 1]);
    expect(await versionsOf(api, agent.id)).toHaveLength(1);
  });

  it('A rename and a change at once are one version', async () => {
    const agent = await anAgent(api.admin, { project_id });
    const name = `renamed ${randomUUID()}`;
    const { body } = await api.admin.patch(`/v1/agents/${agent.id}`, { name, adapter: 'autogen' });
    expect(body).toMatchObject({ name, adapter: 'autogen', version: 2 });
  });

  it('[I11] If-Match lets a change pass only at the version that was seen', async () => {
    const agent = await anAgent(api.admin, { project_id });
    const path = `/v1/agents/${agent.id}`;
    const at = (tag: string, change: object) => api.admin.patch(path, change, { 'if-match': tag });
    expect((await at('"1"', { description: 'a' })).body.version).toBe(2);
    for (const change of [{ description: 'b' }, { name: 'other' }, {}]) {
      const refused = await at('"1"', change);
      expect([refused.status, refused.body.code]).toEqual([412, 'version_mismatch']);
      expect(refused.body.current_version).toBe(2);
    }
    expect((await at('*', { description: 'b' })).body.version).toBe(3);
    for (const tag of ['3', '"three"', '"3", "4"', '""']) {
      expect([tag, (await at(tag, { description: 'c' })).status]).toEqual([tag, 400]);
    }
    expect((await api.admin.get(path)).body).toMatchObject({
      version: 3,
      description: 'b',
      name: agent.name,
    });
  });

  it('A name is unique in the organization, case-sensitive, on its normal form; other organizations are free', async () => {
    const name = `Ångström ${randomUUID()}`;
    await anAgent(api.admin, { project_id, name });
    const elsewhere = (await aProject(api.admin)).id;
    for (const twin of [name, `  ${name.normalize('NFD')} `]) {
      const taken = await api.admin.post('/v1/agents', {
        project_id: elsewhere,
        name: twin,
        adapter: 'custom',
      });
      expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
    }
    const other = await anAgent(api.admin, { project_id, name: name.toLowerCase() });
    expect((await api.admin.patch(`/v1/agents/${other.id}`, { name })).body.code).toBe('name_taken');
    const founded = api.as((await anOrganization(api.root)).api_key.key);
    expect((await anAgent(founded, { name })).name).toBe(name);
  });

  it.each([
    ['name', ['', '   ', 'n'.repeat(129), 'a\u0000b', 'a\u202eb', 'a\nb', 5, null]],
    ['adapter', ['', 'LangGraph', 'a'.repeat(65), 'a b', 5, null]],
    ['description', ['d'.repeat(1025), 5]],
    ['config', [[], 'x', 5, null]],
    ['version', [2]],
    ['tenant_id', [randomUUID()]],
  ] as [string, unknown[]][])('%s out of its bounds is refused by its pointer', async (member, values) => {
    const { id } = await anAgent(api.admin, { project_id });
    for (const value of values) {
      const fields = { project_id, name: 'n', adapter: 'a', [member]: value };
      for (const refused of [
        await api.admin.post('/v1/agents', fields),
        await api.admin.patch(`/v1/agents/${id}`, { [member]: value }),
      ]) {
        expect([value, refused.status]).toEqual([value, 400]);
        expect(refused.body.errors?.[0].pointer ?? `/${member}`).toBe(`/${member}`);
      }
    }
  });

  it('A project that is not there has no agents', async () => {
    const body = { project_id: randomUUID(), name: randomUUID(), adapter: 'custom' };
    expect((await api.admin.post('/v1/agents', body)).status).toBe(404);
    expect((await api.admin.get(`/v1/agents/${randomUUID()}`)).status).toBe(404);
    expect((await api.admin.patch(`/v1/agents/${randomUUID()}`, {})).status).toBe(404);
  });

  it('Agents are listed newest first, of one project when asked, page by page', async () => {
    const home = (await aProject(api.admin)).id;
    const made: string[] = [];
    for (const _ of [1, 2, 3]) {
      made.push((await anAgent(api.admin, { project_id: home })).id);
      await anAgent(api.admin, { project_id });
    }
    const idsOf = async (path: string) => (await everyRow(api.admin, path, 2)).map(({ id }) => id);
    expect(await idsOf(`/v1/agents?project_id=${home}`)).toEqual([...made].reverse());
    const all = await idsOf('/v1/agents');
    expect(all.filter((id) => made.includes(id))).toEqual([...made].reverse());
    expect(new Set(all).size).toBe(all.length);
  });

  it('A run keeps the version that its agent had when it was created', async () => {
    const agent = await anAgent(api.admin, { project_id, adapter: 'custom' });
    const before = await aRun(api.admin, { agent_id: agent.id });
    await api.admin.patch(`/v1/agents/${agent.id}`, { adapter: 'autogen' });
    const after = await aRun(api.admin, { agent_id: agent.id });
    expect([before, after].map((run) => [run.agent_version, run.adapter])).toEqual([
      [1, 'custom'],
      [2, 'autogen'],
    ]);
    expect((await api.admin.get(`/v1/runs/${before.id}`)).body.agent_version).toBe(1);
  });
});
