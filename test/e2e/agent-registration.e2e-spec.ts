import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import { aKey, aProject, anAgent } from '../support/things.js';

describe('agents registered by the runs that name them', () => {
  let api: TestApi;
  let project_id: string;
  let reporter: Client;
  let name: string;
  beforeAll(async () => {
    api = await anApi();
    project_id = (await aProject(api.admin)).id;
    const key = await aKey(api.admin, { scope: 'project', project_id, role: 'reporter' });
    reporter = api.as(key.key);
  });
  beforeEach(() => {
    name = `agent ${randomUUID()}`;
  });
  afterAll(() => api.close());

  const aRunOf = (client: Client, agent: object, members: object = {}) =>
    client.post('/v1/runs', { agent: { name, adapter: 'custom', ...agent }, ...members });
  const agentOf = async (run: { body: { agent_id: string } }) =>
    (await api.admin.get(`/v1/agents/${run.body.agent_id}`)).body;

  it('A reporter’s first run registers the agent in the project of its key', async () => {
    const run = await aRunOf(reporter, { config: { m: 1 }, description: 'why' });
    expect([run.status, run.body.agent_version, run.body.project_id]).toEqual([201, 1, project_id]);
    const agent = await agentOf(run);
    expect(agent).toMatchObject({ name, project_id, adapter: 'custom', config: { m: 1 }, version: 1 });
    const [first] = await everyRow(api.admin, `/v1/agents/${agent.id}/versions`, 50);
    expect(first).toMatchObject({ version: 1, note: 'initial', description: 'why' });
    const named = await aRunOf(reporter, {}, { project_id });
    expect([named.status, named.body.agent_id]).toEqual([201, agent.id]);
  });

  it('A definition that differs makes the next version, and the run is pinned to it; an equal one makes none', async () => {
    const versions = [];
    for (const definition of [
      { config: { a: 1, b: [1] } },
      { config: { b: [1.0], a: 1 } },
      {},
      { description: 'why' },
      { description: null },
      { adapter: 'autogen' },
      { adapter: 'autogen', config: {} },
    ]) {
      versions.push((await aRunOf(reporter, definition)).body.agent_version);
    }
    expect(versions).toEqual([1, 1, 1, 2, 3, 4, 5]);
  });

  it('An organization key names the project of a new agent in the run; a known agent needs none', async () => {
    const refused = await aRunOf(api.admin, {});
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/project_id']);
    const run = await aRunOf(api.admin, {}, { project_id });
    expect([run.status, run.body.project_id]).toEqual([201, project_id]);
    expect((await aRunOf(api.admin, {})).body.agent_id).toBe(run.body.agent_id);
    expect((await aRunOf(api.admin, {}, { project_id: randomUUID() })).body.code).toBe('name_taken');
    name = `agent ${randomUUID()}`;
    expect((await aRunOf(api.admin, {}, { project_id: randomUUID() })).status).toBe(404);
  });

  it('A name of a sibling project is taken, and its agent stays as it is', async () => {
    const sibling = await anAgent(api.admin, { name });
    const refused = await aRunOf(reporter, { adapter: 'autogen' });
    expect([refused.status, refused.body.code]).toEqual([409, 'name_taken']);
    expect((await api.admin.get(`/v1/agents/${sibling.id}`)).body).toEqual(sibling);
    const foreign = await aRunOf(reporter, {}, { project_id: sibling.project_id });
    expect([404, 409]).toContain(foreign.status);
  });

  it('An agent key names its own agent and no other', async () => {
    const own = await anAgent(api.admin, { project_id });
    const sibling = await anAgent(api.admin, { project_id });
    const key = await aKey(api.admin, { scope: 'agent', agent_id: own.id, role: 'reporter' });
    const client = api.as(key.key);
    const run = await aRunOf(client, { name: own.name });
    expect([run.status, run.body.agent_id]).toEqual([201, own.id]);
    for (const other of [sibling.name, randomUUID()]) {
      expect((await aRunOf(client, { name: other })).status).toBe(404);
    }
  });

  it('A run names its agent either way, and not both', async () => {
    const agent_id = (await anAgent(api.admin, { project_id })).id;
    for (const refused of [await api.admin.post('/v1/runs', {}), await aRunOf(reporter, {}, { agent_id })]) {
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/agent_id']);
    }
    const wrong = await aRunOf(reporter, { name: '', adapter: 'A', extra: 1 });
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      ...['/agent/adapter', '/agent/extra', '/agent/name'],
    ]);
  });

  it('A creation that is repeated is the stored run, and brings no old definition back', async () => {
    const id = randomUUID();
    const external_id = randomUUID();
    const create = (members: object) =>
      aRunOf(reporter, { config: { v: 'old' } }, { external_id, ...members });
    const run = await create({ id });
    await api.admin.patch(`/v1/agents/${run.body.agent_id}`, { config: { v: 'new' } });
    for (const again of [await create({ id }), await create({})]) {
      expect([again.status, again.text]).toEqual([200, run.text]);
    }
    expect(await agentOf(run)).toMatchObject({ version: 2, config: { v: 'new' } });
    for (const other of [`agent ${randomUUID()}`, (await anAgent(api.admin, { project_id })).name]) {
      name = other;
      expect((await create({ id })).body.code).toBe('id_conflict');
      expect((await create({})).body.code).toBe('external_id_conflict');
    }
  });

  it('A refused run registers nothing and changes nothing', async () => {
    const refused = await aRunOf(reporter, {}, { parent_run_id: randomUUID() });
    expect(refused.status).toBe(404);
    const names = (await everyRow(api.admin, '/v1/agents', 200)).map((agent) => agent.name);
    expect(names).not.toContain(name);
  });
});
