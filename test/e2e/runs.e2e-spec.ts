import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRun, anAgent, aProject } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('runs', () => {
  let api: TestApi;
  let truth: Truth;
  let agent: { id: string; project_id: string };
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent = await anAgent(api.admin, { adapter: 'langgraph' });
    agent_id = agent.id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const create = (members: object) => api.admin.post('/v1/runs', { agent_id, ...members });

  it('A run is pending, with its agent’s project, version and adapter and nothing else', async () => {
    const run = await aRun(api.admin, { agent_id });
    const { id, created_at, updated_at } = run;
    const zero = { failed_steps: 0, failed_tool_calls: 0, tokens_in: 0, tokens_out: 0, cost_usd: '0' };
    const absent = ['name', 'input', 'output', 'error', 'error_type', 'session_id', 'external_id', 'origin'];
    const unset = ['parent_run_id', 'from_checkpoint_id', 'started_at', 'ended_at', 'quality_score'];
    const unheld = ['waiting_for', 'waiting_since', 'resume_input', 'lease_expires_at', 'lease_token'];
    expect(run).toEqual({
      ...Object.fromEntries([...absent, ...unset, ...unheld].map((member) => [member, null])),
      ...{ id, agent_id, project_id: agent.project_id, agent_version: 1, adapter: 'langgraph' },
      ...{ status: 'pending', is_terminal: false, allowed_transitions: ['running', 'cancelled'] },
      ...{ tags: [], metadata: {}, created_at, updated_at, waited_ms: 0 },
      totals: { steps: 0, tool_calls: 0, messages: 0, ...zero },
    });
    expect(await truth.told(id)).toEqual(['run.created']);
  });

  it('With start, a run is running from its creation on', async () => {
    const run = await aRun(api.admin, { agent_id, start: true });
    expect([run.status, run.started_at]).toEqual(['running', run.created_at]);
    expect(await truth.told(run.id)).toEqual(['run.created', 'run.started']);
    const earlier = '2026-02-03T04:05:06.000001Z';
    expect((await create({ start: true, started_at: earlier })).body.started_at).toBe(earlier);
    const pending = await aRun(api.admin, { agent_id, started_at: earlier });
    expect((await api.admin.post(`/v1/runs/${pending.id}/start`)).body.started_at).toBe(earlier);
  });

  it('A run says what was said of it, to whoever asks', async () => {
    const parent = await aRun(api.admin, { agent_id });
    const said = {
      ...{ id: randomUUID(), agent_id, adapter: 'custom', name: 'ask', input: { q: ['x'] } },
      ...{ metadata: { a: 1 }, session_id: 's-1', external_id: randomUUID(), parent_run_id: parent.id },
    };
    const made = await create({ ...said, tags: ['b', 'a', 'b'], lease_seconds: 60 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...said, tags: ['b', 'a'], origin: 'subagent' });
    expect(made.body.lease_token).toMatch(/^[0-9a-f-]{36}$/);
    const { lease_token: _token, ...shown } = made.body;
    expect((await api.admin.get(`/v1/runs/${said.id}`)).body).toEqual(shown);
  });

  it.each(['id', 'external_id'])(
    'The same %s with the same content again is the stored run, wherever it stands by now',
    async (member) => {
      const creation = {
        ...{ [member]: randomUUID(), start: true, name: 'n', input: { b: 1, a: [1.0] }, tags: ['t'] },
        ...{ metadata: { m: 1 }, session_id: 's', adapter: 'custom', lease_seconds: 9 },
        ...{ started_at: '2026-02-03T04:05:06Z', project_id: agent.project_id },
      };
      const made = await create(creation);
      const again = await create(creation);
      expect([again.status, again.text]).toEqual([200, made.text]);
      const respelt = JSON.stringify({ agent_id, ...creation }).replace(
        '{"b":1,"a":[1]}',
        '{ "a":[1.0],"b":1e0 }',
      );
      expect((await api.admin.post('/v1/runs', respelt)).text).toBe(made.text);
      await api.admin.post(`/v1/runs/${made.body.id}/succeed`);
      expect((await create(creation)).body).toMatchObject({ id: made.body.id, status: 'succeeded' });
      expect(await truth.told(made.body.id)).toEqual(['run.created', 'run.started', 'run.succeeded']);
    },
  );

  it.each([
    ['input', { input: { q: 2 } }],
    ['no input', { input: undefined }],
    ['metadata', { metadata: { m: 2 } }],
    ['tags', { tags: ['u'] }],
    ['name', { name: 'other' }],
    ['session', { session_id: 'other' }],
    ['adapter', { adapter: 'other' }],
    ['start', { start: true }],
    ['started_at', { started_at: '2026-02-03T04:05:06Z' }],
    ['parent', { parent: true }],
    ['agent', { otherAgent: true }],
    ['project', { otherProject: true }],
  ])('The same id with another %s is a conflict and changes nothing', async (_what, change) => {
    const { parent, otherAgent, otherProject, ...members } = change as Record<string, unknown>;
    const other = {
      ...members,
      ...(parent ? { parent_run_id: (await aRun(api.admin, { agent_id })).id } : {}),
      ...(otherAgent ? { agent_id: (await anAgent(api.admin)).id } : {}),
      ...(otherProject ? { project_id: (await aProject(api.admin)).id } : {}),
    };
    const keys = { id: randomUUID(), external_id: randomUUID() };
    const creation = { name: 'n', session_id: 's', input: { q: 1 }, metadata: { m: 1 }, tags: ['t'] };
    const made = await create({ ...keys, ...creation });
    const before = [await truth.run(keys.id), await truth.events(keys.id)];
    const byId = await create({ ...keys, ...creation, ...other });
    expect([byId.status, byId.body.code]).toEqual([409, 'id_conflict']);
    const byExternalId = await create({ external_id: keys.external_id, ...creation, ...other });
    expect([byExternalId.status, byExternalId.body.code]).toEqual([409, 'external_id_conflict']);
    expect([await truth.run(keys.id), await truth.events(keys.id)]).toEqual(before);
    expect(made.status).toBe(201);
  });

  it('An external id stands for one run, whatever id another creation brings', async () => {
    const external_id = randomUUID();
    await create({ external_id });
    const other = await create({ external_id, id: randomUUID() });
    expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict']);
  });

  it('A run that is not there is 404, as is an agent or a parent that is not there', async () => {
    for (const id of [randomUUID(), 'no-id', '%00']) {
      expect((await api.admin.get(`/v1/runs/${id}`)).status).toBe(404);
    }
    expect((await api.admin.post('/v1/runs', { agent_id: randomUUID() })).status).toBe(404);
    expect((await create({ parent_run_id: randomUUID() })).status).toBe(404);
    const id = randomUUID();
    expect((await create({ id, parent_run_id: id })).status).toBe(404);
    expect((await create({ id, project_id: randomUUID() })).status).toBe(404);
    expect((await api.admin.get(`/v1/runs/${id}`)).status).toBe(404);
  });

  it.each([
    ['adapter', ['', 'Custom', 'a'.repeat(65)]],
    ['name', ['n'.repeat(257), 5]],
    ['session_id', ['', 's'.repeat(257)]],
    ['external_id', ['', 'e'.repeat(257)]],
    ['metadata', [[], 'x', null]],
    ['tags', ['t', [''], [5], ['t'.repeat(129)], Array.from({ length: 65 }, String)]],
    ['lease_seconds', [0, 86_401, 1.5, '60']],
    ['started_at', ['now', '2026-02-03', 0]],
    ['start', ['true', 1, null]],
    ['parent_run_id', ['no-id', null]],
    ['status', ['running']],
    ['origin', ['fork']],
    ['ended_at', ['2026-02-03T04:05:06Z']],
  ] as [string, unknown[]][])('%s out of its bounds is refused by its pointer', async (member, values) => {
    for (const value of values) {
      const refused = await create({ [member]: value });
      expect([value, refused.status]).toEqual([value, 400]);
      expect(refused.body.errors[0].pointer).toBe(`/${member}`);
    }
  });
});
