import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';

describe('identities in payloads', () => {
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

  /** Text of an object that claims to be somebody else's, in every spelling that a careless reader might follow. */
  const claims = (): string => {
    const { organizationId, projectId, agentId } = world.foreign;
    return (
      `{"tenant_id":"${organizationId}","organization":{"id":"${organizationId}"},"project_id":"${projectId}",` +
      `"agent_id":"${agentId}","scope":"organization","role":"admin","user":{"scope":{"tenantId":"${organizationId}"}},` +
      `"agentflow.tenant_id":"${organizationId}","__proto__":{"tenant_id":"${organizationId}","isAdmin":true},` +
      `"constructor":{"prototype":{"role":"admin"}},"toString":"x","hasOwnProperty":1}`
    );
  };

  it('[T19] is kept as it was sent and changes nothing of who sees what', async () => {
    const { own, foreign } = world;
    const before = await tableDigests(superuser, foreign.organizationId);
    const { key } = await aCaller('agent', 'reporter', own);
    const client = api.as(key);
    const created = await client.post(
      '/v1/runs',
      `{"agent_id":"${own.agentId}","start":true,"metadata":${claims()},"input":${claims()}}`,
    );
    expect([created.status, created.body.agent_id, created.body.project_id]).toEqual([
      201,
      own.agentId,
      own.projectId,
    ]);
    const path = `/v1/runs/${created.body.id}`;
    for (const [child, body] of [
      ['steps', `{"node":"plan","input":${claims()},"metadata":${claims()}}`],
      ['messages', `{"role":"user","extra":${claims()}}`],
      ['tool-calls', `{"name":"search","arguments":${claims()}}`],
      ['checkpoints', `{"state":${claims()}}`],
    ] as const) {
      const written = await client.post(`${path}/${child}`, body);
      expect([written.status, written.text.includes(claims())]).toEqual([201, true]);
    }
    const shown = await client.get(path);
    expect(shown.text).toContain(`"input":${claims()}`);
    expect(JSON.parse(JSON.stringify(shown.body.metadata))).toEqual(shown.body.metadata);
    expect(Object.keys(shown.body.metadata).sort()).toEqual(Object.keys(JSON.parse(claims())).sort());
    expect((await foreign.admin.get(path)).status).toBe(404);
    expect((await client.get(`/v1/runs/${foreign.run.id}`)).status).toBe(404);
    expect((await client.get('/v1/me')).body).toMatchObject({ key: { scope: 'agent', role: 'reporter' } });
    expect(await tableDigests(superuser, foreign.organizationId)).toEqual(before);
    expect('isAdmin' in {}).toBe(false);
  });

  it('[T19] in the config of an agent it is a config and nothing else', async () => {
    const { own, foreign } = world;
    const changed = await api.admin.patch(`/v1/agents/${own.agentId}`, `{"config":${claims()}}`);
    expect([changed.status, changed.body.project_id]).toEqual([200, own.projectId]);
    expect(Object.keys(changed.body.config).sort()).toEqual(Object.keys(JSON.parse(claims())).sort());
    expect((await foreign.admin.get(`/v1/agents/${own.agentId}`)).status).toBe(404);
  });

  it('[T19] a name that is cut short at a NUL is refused, wherever it stands', async () => {
    const before = await tableDigests(superuser);
    const hostile = `{"tenant\\u0000_id":"${world.foreign.organizationId}"}`;
    for (const [path, body] of [
      ['/v1/runs', `{"agent_id":"${world.own.agentId}","metadata":${hostile}}`],
      ['/v1/runs', `{"agent_id":"${world.own.agentId}","input":${hostile}}`],
      ['/v1/runs', `{"agent_id\\u0000":"${world.own.agentId}"}`],
      ['/v1/projects', `{"name":"a\\u0000b"}`],
      [`/v1/runs/${world.own.run.id}/checkpoints`, `{"state":${hostile}}`],
    ] as const) {
      expect((await api.admin.post(path, body)).status).toBe(400);
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });
});
