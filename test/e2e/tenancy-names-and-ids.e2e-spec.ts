import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import { aCaller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { PLACES, aTenancyWorld, type Place, type TenancyWorld } from '../support/matrix/places.js';
import { aRunningRun, aStep } from '../support/things.js';

describe('names and ids of others', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let ofProject: Client;
  let ofAgent: Client;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    ofProject = api.as((await aCaller('project', 'admin', world.own)).key);
    ofAgent = api.as((await aCaller('agent', 'admin', world.own)).key);
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  const nameOf = async ({ admin, agentId }: Place): Promise<string> =>
    (await admin.get(`/v1/agents/${agentId}`)).body.name;

  /** A refusal that says what is taken and nothing of who has it. */
  function expectPlainConflict({ status, text, body }: Answer, code: string): void {
    expect([status, body.code]).toEqual([409, code]);
    for (const name of PLACES.slice(1)) {
      const { agentId, runs } = world[name];
      for (const id of [agentId, ...runs.map((run) => run.id)]) expect(text).not.toContain(id);
    }
    const members = Object.keys(body).filter((member) => member !== 'detail');
    expect(members).toEqual(['type', 'title', 'status', 'code', 'instance']);
  }

  it('[T9] the names of another organization are free', async () => {
    const name = await nameOf(world.foreign);
    const body = { name, adapter: 'custom', project_id: world.own.projectId };
    expect((await api.admin.post('/v1/agents', body)).status).toBe(201);
    const { name: projectName } = (await world.foreign.admin.get(`/v1/projects/${world.foreign.projectId}`))
      .body;
    expect((await api.admin.post('/v1/projects', { name: projectName })).status).toBe(201);
  });

  it("[T9] the name of a sibling's agent is taken, and that is all that a project's key learns", async () => {
    const name = await nameOf(world.siblingProject);
    const definition = { name, adapter: 'custom' };
    const before = await tableDigests(superuser);
    expectPlainConflict(
      await ofProject.post('/v1/agents', { ...definition, project_id: world.own.projectId }),
      'name_taken',
    );
    expectPlainConflict(await ofProject.patch(`/v1/agents/${world.own.agentId}`, { name }), 'name_taken');
    expectPlainConflict(await ofAgent.patch(`/v1/agents/${world.own.agentId}`, { name }), 'name_taken');
    expectPlainConflict(await ofProject.post('/v1/runs', { agent: definition }), 'name_taken');
    const { name: siblingName } = (await api.admin.get(`/v1/projects/${world.siblingProject.projectId}`))
      .body;
    expectPlainConflict(
      await ofProject.patch(`/v1/projects/${world.own.projectId}`, { name: siblingName }),
      'name_taken',
    );
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T9] a name in another case is another name, one in another spelling of the same characters is not', async () => {
    const name = `Ärger ${randomUUID()}`;
    const make = (text: string): Promise<Answer> =>
      ofProject.post('/v1/agents', { name: text, adapter: 'custom', project_id: world.own.projectId });
    expect((await make(name)).status).toBe(201);
    expect((await make(name.toUpperCase())).status).toBe(201);
    for (const spelling of [name.normalize('NFD'), ` ${name} `])
      expectPlainConflict(await make(spelling), 'name_taken');
  });

  it('[T11] the ids of another organization are free, and its rows stay as they are', async () => {
    const { foreign, own } = world;
    const before = await tableDigests(superuser, foreign.organizationId);
    const run = await api.admin.post('/v1/runs', { id: foreign.run.id, agent_id: own.agentId, start: true });
    expect([run.status, run.body.agent_id]).toEqual([201, own.agentId]);
    const path = `/v1/runs/${foreign.run.id}`;
    const written = await Promise.all([
      api.admin.post(`${path}/steps`, { id: foreign.run.stepIds[0], node: 'mine' }),
      api.admin.post(`${path}/messages`, { id: foreign.run.messageIds[0], role: 'user', content: 'mine' }),
      api.admin.post(`${path}/tool-calls`, { id: foreign.run.callIds[0], name: 'mine' }),
      api.admin.post(`${path}/checkpoints`, { id: foreign.run.checkpointIds[0], state: 'mine' }),
      api.admin.post(`/v1/agents/${own.agentId}/tool-calls`, { id: foreign.looseCallId, name: 'mine' }),
    ]);
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    await api.admin.post(`${path}/succeed`);
    expect((await api.admin.delete(path)).status).toBe(204);
    expect(await tableDigests(superuser, foreign.organizationId)).toEqual(before);
    expect((await foreign.admin.get(path)).body).toMatchObject({
      status: 'running',
      agent_id: foreign.agentId,
    });
  });

  it('[T11] the ids of a sibling are never taken over: a plain conflict, or free within another run', async () => {
    const before = await tableDigests(superuser);
    for (const { run, looseCallId } of [world.siblingAgent, world.siblingProject]) {
      const own = `/v1/runs/${world.own.run.id}`;
      const { agentId } = world.own;
      expectPlainConflict(await ofAgent.post('/v1/runs', { id: run.id, agent_id: agentId }), 'id_conflict');
      for (const id of [run.callIds[0], looseCallId]) {
        expectPlainConflict(await ofAgent.post(`${own}/tool-calls`, { id, name: 'search' }), 'id_conflict');
        expectPlainConflict(
          await ofAgent.post(`/v1/agents/${agentId}/tool-calls`, { id, name: 'search' }),
          'id_conflict',
        );
      }
    }
    expect(await tableDigests(superuser)).toEqual(before);
    const { run } = world.siblingProject;
    const own = `/v1/runs/${(await aRunningRun(ofAgent, { agent_id: world.own.agentId })).id}`;
    const step = await aStep(api.admin, run.id);
    expect((await ofAgent.post(`${own}/steps`, { id: step.id, node: 'mine' })).status).toBe(201);
    expect((await api.admin.get(`/v1/runs/${run.id}/steps/${step.id}`)).body).toEqual(step);
  });

  it('[T11] an external id is unique in its organization, free in another, and tells nothing of its holder', async () => {
    const external_id = `trace ${randomUUID()}`;
    await aRunningRun(world.foreign.admin, { agent_id: world.foreign.agentId, external_id });
    await aRunningRun(api.admin, { agent_id: world.siblingProject.agentId, external_id });
    const before = await tableDigests(superuser);
    expectPlainConflict(
      await ofAgent.post('/v1/runs', { agent_id: world.own.agentId, external_id }),
      'id_conflict',
    );
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T11] the id of a deleted run of a sibling is told from a free one by nobody but its own', async () => {
    const { siblingProject, own } = world;
    const { id } = await aRunningRun(api.admin, { agent_id: siblingProject.agentId });
    await api.admin.delete(`/v1/runs/${id}?force=true`);
    const gone = (await ofAgent.post(`/v1/runs/${id}/steps`, { node: 'x' })).text;
    const never = (await ofAgent.post(`/v1/runs/${randomUUID()}/steps`, { node: 'x' })).text;
    const masked = (text: string): string => text.replace(/urn:uuid:[0-9a-f-]+/, '');
    expect(masked(gone)).toBe(masked(never));
    expect((await ofAgent.post('/v1/runs', { id, agent_id: own.agentId })).status).toBe(201);
    expect((await api.admin.get(`/v1/runs/${id}`)).body.agent_id).toBe(own.agentId);
  });
});
