import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aCaller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { aPlace, aTenancyWorld, type Place, type TenancyWorld } from '../support/matrix/places.js';
import { aProject } from '../support/things.js';

describe('scopes', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  const clientOf = async (scope: 'project' | 'agent', home: Place): Promise<Client> =>
    api.as((await aCaller(scope, 'admin', home)).key);

  it("[T15] an agent's admin rules its agent and nothing around it", async () => {
    const { own, siblingAgent } = world;
    const client = await clientOf('agent', own);
    const outcomes = async (asked: Promise<{ status: number }>[]): Promise<number[]> =>
      (await Promise.all(asked)).map(({ status }) => status);
    expect(
      await outcomes([
        client.patch(`/v1/agents/${own.agentId}`, { description: 'mine' }),
        client.post('/v1/runs', { agent_id: own.agentId }),
        client.post('/v1/api-keys', { name: 'x', scope: 'agent', agent_id: own.agentId, role: 'admin' }),
      ]),
    ).toEqual([200, 201, 201]);
    const before = await tableDigests(superuser);
    expect(
      await outcomes([
        client.patch(`/v1/projects/${own.projectId}`, { description: 'mine' }),
        client.delete(`/v1/projects/${own.projectId}?cascade=true`),
        client.patch(`/v1/agents/${siblingAgent.agentId}`, { description: 'mine' }),
        client.get(`/v1/api-keys/${siblingAgent.keyId}`),
      ]),
    ).toEqual([404, 404, 404, 404]);
    expect(
      await outcomes([
        client.post('/v1/projects', { name: 'x' }),
        client.post('/v1/agents', { name: 'x', adapter: 'custom', project_id: own.projectId }),
        client.get('/v1/organization'),
        client.post('/v1/api-keys', { name: 'x', scope: 'organization', role: 'viewer' }),
      ]),
    ).toEqual([403, 403, 403, 403]);
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T15] a run belongs for ever to the project that it was created under, wherever its agent moves', async () => {
    const [from, to] = [(await aProject(api.admin)).id as string, (await aProject(api.admin)).id as string];
    const place = await aPlace(world.own, from);
    const [before, after, agent] = [
      await clientOf('project', place),
      await clientOf('project', { ...place, projectId: to }),
      await clientOf('agent', place),
    ];
    // No request moves an agent; should there be one some day, this is what it must not touch.
    await superuser.query('UPDATE agents SET project_id = $2 WHERE id = $1', [place.agentId, to]);
    const { run } = place;
    for (const path of [
      `/v1/runs/${run.id}`,
      `/v1/runs/${run.id}/steps/${run.stepIds[0]}`,
      `/v1/runs/${run.id}/messages`,
    ]) {
      const statuses = await Promise.all(
        [before, after, agent, api.admin].map(async (client) => (await client.get(path)).status),
      );
      expect(statuses).toEqual([200, 404, 200, 200]);
    }
    const idsOf = async (client: Client): Promise<string[]> =>
      (await client.get('/v1/runs?limit=200')).body.data.map(({ id }: { id: string }) => id).sort();
    const runs = place.runs.map(({ id }) => id).sort();
    expect([await idsOf(before), await idsOf(after), await idsOf(agent)]).toEqual([runs, [], runs]);
    expect((await before.post(`/v1/runs/${run.id}/steps`, { node: 'late' })).status).toBe(201);
    expect((await after.post(`/v1/runs/${run.id}/steps`, { node: 'late' })).status).toBe(404);
    const next = await after.post('/v1/runs', { agent_id: place.agentId });
    expect([next.status, next.body.project_id]).toEqual([201, to]);
    expect((await before.get(`/v1/runs/${next.body.id}`)).status).toBe(404);
    expect((await before.get(`/v1/agents/${place.agentId}`)).status).toBe(404);
  });

  it('[T15] a rename of agent or project changes nothing of who sees its runs', async () => {
    const { own } = world;
    const client = await clientOf('project', own);
    const { body: before } = await client.get(`/v1/runs/${own.run.id}`);
    await api.admin.patch(`/v1/agents/${own.agentId}`, { name: 'another name' });
    await api.admin.patch(`/v1/projects/${own.projectId}`, { name: 'another name' });
    expect((await client.get(`/v1/runs/${own.run.id}`)).body).toEqual(before);
    expect(
      (await (await clientOf('project', world.siblingProject)).get(`/v1/runs/${own.run.id}`)).status,
    ).toBe(404);
  });

  it('[T15] a new agent with the name of a deleted one has none of its runs, versions or keys', async () => {
    const place = await aPlace(world.own, world.own.projectId);
    const { name } = (await api.admin.get(`/v1/agents/${place.agentId}`)).body;
    const old = await clientOf('agent', place);
    expect((await api.admin.delete(`/v1/agents/${place.agentId}`)).status).toBe(204);
    const body = { name, adapter: 'custom', project_id: place.projectId };
    const { id } = (await api.admin.post('/v1/agents', body)).body;
    const heir = await clientOf('agent', { ...place, agentId: id });
    expect((await heir.get('/v1/runs')).body.data).toEqual([]);
    expect((await heir.get(`/v1/agents/${id}/versions`)).body.data).toHaveLength(1);
    expect((await heir.get(`/v1/runs/${place.run.id}`)).status).toBe(404);
    expect((await old.get('/v1/me')).status).toBe(401);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('[T23] %s is no method of a version', async (method) => {
    const path = `/v1/agents/${world.own.agentId}/versions/1`;
    const before = await tableDigests(superuser);
    const { status, headers, body } = await api.admin.call(
      method,
      path,
      method === 'DELETE' ? undefined : { note: 'x' },
    );
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
    expect(await tableDigests(superuser)).toEqual(before);
  });
});
