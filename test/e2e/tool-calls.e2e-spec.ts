import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aRunningRun, aStep, aToolCall, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('tool calls', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  let run: { id: string };
  let calls: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  beforeEach(async () => {
    run = await aRunningRun(api.admin, { agent_id });
    calls = `/v1/runs/${run.id}/tool-calls`;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  it('A call is running by default, and says all that was said of it', async () => {
    const plain = await aToolCall(api.admin, run.id);
    expect(plain).toMatchObject({
      status: 'running',
      agent_id,
      run_id: run.id,
      ended_at: null,
      metadata: {},
    });
    expect(plain.started_at).toBe(plain.created_at);
    const step = await aStep(api.admin, run.id);
    const said = {
      ...{ id: randomUUID(), step_id: step.id, name: 'search', status: 'failed', arguments: { q: [1] } },
      ...{ result: 'half', error: 'cut', error_type: 'Cut', latency_ms: 7, provider_call_id: 'call_1' },
      ...{ metadata: { a: 1 }, started_at: '2026-02-03T04:05:06.123456Z' },
      ended_at: '2026-02-03T04:05:07.000000Z',
    };
    const made = await api.admin.post(calls, said);
    const { created_at, updated_at } = made.body;
    expect(made.body).toEqual({ ...said, agent_id, run_id: run.id, created_at, updated_at });
    expect((await api.admin.get(`${calls}/${said.id}`)).text).toBe(made.text);
    const { totals } = (await api.admin.get(`/v1/runs/${run.id}`)).body;
    expect(totals).toMatchObject({ tool_calls: 2, failed_tool_calls: 1 });
  });

  it.each([
    [{}, 'running', 'tool_call.started'],
    [{ result: null }, 'succeeded', 'tool_call.completed'],
    [{ result: 1 }, 'succeeded', 'tool_call.completed'],
    [{ error: 'no' }, 'failed', 'tool_call.completed'],
    [{ result: 1, error_type: 'Sad' }, 'failed', 'tool_call.completed'],
    [{ status: 'cancelled' }, 'cancelled', 'tool_call.completed'],
  ])('A call reported with %j is %s', async (members, status, event) => {
    const call = await aToolCall(api.admin, run.id, members);
    expect(call.status).toBe(status);
    expect(call.ended_at === null).toBe(status === 'running');
    expect((await truth.told(run.id)).at(-1)).toBe(event);
  });

  it('[S10] The first completion wins; the same again is confirmed, another is a conflict', async () => {
    const { id } = await aToolCall(api.admin, run.id, { arguments: { q: 1 } });
    const done = await api.admin.patch(`${calls}/${id}`, { result: { b: 1, a: 2 } });
    expect(done.body).toMatchObject({ status: 'succeeded', result: { b: 1, a: 2 }, arguments: { q: 1 } });
    expect(done.body.latency_ms).toBeGreaterThanOrEqual(0);
    expect((await api.admin.patch(`${calls}/${id}`, '{"result":{"a":2.0,"b":1}}')).text).toBe(done.text);
    for (const other of [{ result: 2 }, { error: 'no' }, { status: 'cancelled' }, { status: 'running' }]) {
      const refused = await api.admin.patch(`${calls}/${id}`, other);
      expect([refused.status, refused.body.code]).toEqual([409, 'already_completed']);
      expect(refused.body.current_state).toBe('succeeded');
    }
    const told = await truth.told(run.id);
    expect(told.filter((type) => type === 'tool_call.completed')).toHaveLength(1);
  });

  it('[S10] A call that is open is completed, and not otherwise changed', async () => {
    const { id } = await aToolCall(api.admin, run.id);
    expect((await api.admin.patch(`${calls}/${id}`, { status: 'running' })).status).toBe(200);
    const refused = await api.admin.patch(`${calls}/${id}`, { status: 'running', result: 1 });
    expect([refused.status, refused.body.allowed]).toEqual([409, ['succeeded', 'failed', 'cancelled']]);
  });

  it('[S10] A call that is not there cannot be completed, whoever begins it later', async () => {
    const id = randomUUID();
    expect((await api.admin.patch(`${calls}/${id}`, { result: 1 })).status).toBe(404);
    expect((await aToolCall(api.admin, run.id, { id })).status).toBe('running');
    const elsewhere = await aRunningRun(api.admin, { agent_id });
    const path = `/v1/runs/${elsewhere.id}/tool-calls/${id}`;
    expect((await api.admin.get(path)).status).toBe(404);
    expect((await api.admin.patch(path, { result: 1 })).status).toBe(404);
  });

  it('Calls may share the id that a model provider gave them: it is no key', async () => {
    const provider_call_id = 'call_1';
    const made = [await aToolCall(api.admin, run.id, { provider_call_id })];
    made.push(await aToolCall(api.admin, run.id, { provider_call_id }));
    await api.admin.patch(`${calls}/${made[1].id}`, { result: 1 });
    const shown = await everyRow(api.admin, calls, 50);
    expect(shown.map(({ status }) => status)).toEqual(['running', 'succeeded']);
  });

  it('[I13] A completion without an id closes the oldest open call of that name in that step', async () => {
    const [one, two] = [await aStep(api.admin, run.id), await aStep(api.admin, run.id)];
    const inOne = [];
    for (const _ of [1, 2, 3]) inOne.push(await aToolCall(api.admin, run.id, { step_id: one.id }));
    const others = [
      await aToolCall(api.admin, run.id, { step_id: two.id }),
      await aToolCall(api.admin, run.id, { step_id: one.id, name: 'find' }),
      await aToolCall(api.admin, run.id),
    ];
    await api.admin.patch(`${calls}/${inOne[1].id}`, { result: 'by id' });
    const complete = (members: object) => api.admin.post(`${calls}/complete`, { name: 'search', ...members });
    const done = [];
    for (const result of [1, 2]) done.push((await complete({ step_id: one.id, result })).body);
    expect(done.map(({ id, result }) => [id, result])).toEqual([
      [inOne[0].id, 1],
      [inOne[2].id, 2],
    ]);
    expect((await complete({ step_id: one.id, result: 3 })).status).toBe(404);
    for (const { id } of others) expect((await api.admin.get(`${calls}/${id}`)).body.status).toBe('running');
    expect((await complete({ error: 'no' })).body).toMatchObject({ id: others[2].id, status: 'failed' });
    expect((await complete({ name: 'look', result: 1 })).status).toBe(404);
  });

  it('Calls are listed in the order in which they came, of one step when asked, and backwards', async () => {
    const step = await aStep(api.admin, run.id);
    const made = [];
    for (const i of [0, 1, 2, 3, 4]) {
      made.push(await aToolCall(api.admin, run.id, i % 2 === 0 ? { step_id: step.id } : {}));
    }
    const inStep = made.filter((_call, i) => i % 2 === 0);
    expect(await everyRow(api.admin, calls, 2)).toEqual(made);
    expect(await everyRow(api.admin, `${calls}?step_id=${step.id}`, 2)).toEqual(inStep);
    expect(await everyRow(api.admin, `${calls}?order=desc&step_id=${step.id}`, 1)).toEqual(inStep.reverse());
    expect(await everyRow(api.admin, `${calls}?order=desc`, 2)).toEqual(made.reverse());
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(257) }],
    ['provider_call_id', { name: 'x', provider_call_id: 'p'.repeat(257) }],
    ['status', { name: 'x', status: 'pending' }],
    ['latency_ms', { name: 'x', latency_ms: -1 }],
    ['ended_at', { name: 'x', ended_at: '2026-02-03T04:05:06Z' }],
    ['agent_id', { name: 'x', agent_id: randomUUID() }],
  ])('A call with a wrong %s is refused by its pointer', async (name, body) => {
    const refused = await api.admin.post(calls, body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, `/${name}`]);
  });
});
