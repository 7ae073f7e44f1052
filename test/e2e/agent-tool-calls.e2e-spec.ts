import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aRunningRun, aToolCall, anAgent } from '../support/things.js';

const FLAGS = 'agentflow.flags';

describe('tool calls outside runs', () => {
  let api: TestApi;
  let agent: { id: string };
  let calls: string;
  beforeAll(async () => {
    api = await anApi();
    agent = await anAgent(api.admin);
    calls = `/v1/agents/${agent.id}/tool-calls`;
  });
  afterAll(() => api.close());

  it('A call is reported, shown and completed; the first completion wins', async () => {
    const report = { id: randomUUID(), name: 'search', arguments: { q: 1 }, provider_call_id: 'call_1' };
    const made = await api.admin.post(calls, report);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...report, status: 'running', run_id: null, step_id: null });
    expect(made.body.started_at).toBe(made.body.created_at);
    const again = await api.admin.post(calls, report);
    expect([again.status, again.text]).toEqual([200, made.text]);
    expect((await api.admin.post(calls, { ...report, name: 'find' })).body.code).toBe('id_conflict');
    const done = await api.admin.patch(`${calls}/${report.id}`, { result: [1] });
    expect(done.body).toMatchObject({ status: 'succeeded', result: [1], ended_at: done.body.updated_at });
    expect((await api.admin.patch(`${calls}/${report.id}`, { result: [1.0] })).text).toBe(done.text);
    expect((await api.admin.patch(`${calls}/${report.id}`, { result: 2 })).body.code).toBe(
      'already_completed',
    );
    expect((await api.admin.get(`${calls}/${report.id}`)).text).toBe(done.text);
    expect((await api.admin.post(calls, report)).text).toBe(done.text);
  });

  it('Clocks that disagree give latency 0 and a flag', async () => {
    const call = { name: 'search', started_at: '2999-01-01T00:00:00Z', result: 1 };
    const { body } = await api.admin.post(calls, call);
    expect([body.latency_ms, body.metadata[FLAGS]]).toEqual([0, ['ended_before_start']]);
  });

  it('It belongs to no run and to no other agent, and an id of a call elsewhere is taken', async () => {
    const { id } = (await api.admin.post(calls, { name: 'search' })).body;
    const other = await anAgent(api.admin);
    const run = await aRunningRun(api.admin, { agent_id: agent.id });
    for (const path of [`/v1/agents/${other.id}/tool-calls`, `/v1/runs/${run.id}/tool-calls`]) {
      expect((await api.admin.get(`${path}/${id}`)).status).toBe(404);
      expect((await api.admin.patch(`${path}/${id}`, { result: 1 })).status).toBe(404);
      expect((await api.admin.post(path, { id, name: 'search' })).body.code).toBe('id_conflict');
    }
    const inRun = await aToolCall(api.admin, run.id);
    expect((await api.admin.get(`${calls}/${inRun.id}`)).status).toBe(404);
    expect((await api.admin.post(calls, { id: inRun.id, name: 'search' })).body.code).toBe('id_conflict');
    expect((await api.admin.get(`/v1/runs/${run.id}`)).body.totals.tool_calls).toBe(1);
  });

  it('It is in no step', async () => {
    const refused = await api.admin.post(calls, { name: 'search', step_id: randomUUID() });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/step_id']);
  });

  it('They are listed newest first, without those in runs', async () => {
    const other = await anAgent(api.admin);
    const path = `/v1/agents/${other.id}/tool-calls`;
    await aToolCall(api.admin, (await aRunningRun(api.admin, { agent_id: other.id })).id);
    const made = [];
    for (const _ of [1, 2, 3, 4, 5]) made.push((await api.admin.post(path, { name: 'search' })).body);
    expect(await everyRow(api.admin, path, 2)).toEqual(made.reverse());
  });

  it('An agent that is not there makes no calls', async () => {
    const nowhere = `/v1/agents/${randomUUID()}/tool-calls`;
    expect((await api.admin.post(nowhere, { name: 'search' })).status).toBe(404);
    expect((await api.admin.get(nowhere)).status).toBe(404);
  });
});
