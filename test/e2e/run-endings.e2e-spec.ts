import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aRunningRun, aStep, aToolCall, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const FLAGS = 'agentflow.flags';

/** What a final move makes of a child that is still open. */
const ENDINGS = [
  ['fail', 'failed', 'run_ended', 'step.failed'],
  ['cancel', 'cancelled', null, 'step.completed'],
] as const;

describe('the end of a run and what is open below it', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  /** A run with a pending, a running, a retrying and a finished step, and an open and a finished call. */
  async function aBusyRun() {
    const run = await aRunningRun(api.admin, { agent_id });
    const pending = await aStep(api.admin, run.id, { status: 'pending', metadata: { mine: 1 } });
    const running = await aStep(api.admin, run.id);
    const retrying = await aStep(api.admin, run.id, { parent_step_id: running.id });
    await api.admin.patch(`/v1/runs/${run.id}/steps/${retrying.id}`, { status: 'retrying' });
    const done = await aStep(api.admin, run.id, { status: 'succeeded', output: 'kept' });
    const call = await aToolCall(api.admin, run.id, { step_id: running.id });
    const answered = await aToolCall(api.admin, run.id, { result: 'kept' });
    return { run, steps: [pending, running, retrying], done, call, answered };
  }

  it.each(ENDINGS)(
    '[S7] %s closes open steps and calls with it, each with its event, the event of the run being the last',
    async (command, status, error_type, stepEvent) => {
      const { run, steps, done, call, answered } = await aBusyRun();
      const before = (await truth.events(run.id)).length;
      const ended = await api.admin.post(`/v1/runs/${run.id}/${command}`);
      const failed = command === 'fail' ? { failed_steps: 3, failed_tool_calls: 1 } : {};
      const counts = { steps: 4, failed_steps: 0, tool_calls: 2, failed_tool_calls: 0, ...failed };
      expect(ended.body.totals).toMatchObject(counts);
      for (const { id } of steps) {
        const step = (await api.admin.get(`/v1/runs/${run.id}/steps/${id}`)).body;
        expect(step).toMatchObject({ status, error_type, ended_at: ended.body.ended_at });
        expect(step.metadata[FLAGS]).toEqual(['open_at_end']);
        expect(step.latency_ms === null).toBe(step.started_at === null);
      }
      const pending = (await api.admin.get(`/v1/runs/${run.id}/steps/${steps[0].id}`)).body;
      expect(pending.metadata).toEqual({ mine: 1, [FLAGS]: ['open_at_end'] });
      const closed = (await api.admin.get(`/v1/runs/${run.id}/tool-calls/${call.id}`)).body;
      expect(closed).toMatchObject({ status, error_type, ended_at: ended.body.ended_at });
      expect(closed.latency_ms).toBeGreaterThanOrEqual(0);
      const kept = await api.admin.get(`/v1/runs/${run.id}/steps/${done.id}`);
      expect(kept.body).toEqual(done);
      expect((await api.admin.get(`/v1/runs/${run.id}/tool-calls/${answered.id}`)).body).toEqual(answered);
      const told = (await truth.events(run.id)).slice(before);
      expect(told.map(({ type, entity_id }) => [type, entity_id])).toEqual([
        ...steps.map(({ id }) => [stepEvent, id]),
        ['tool_call.completed', call.id],
        [`run.${status}`, run.id],
      ]);
      expect(told.slice(0, -1).every(({ data }) => data.status === status)).toBe(true);
      expect(told[2]?.data).toMatchObject({ index: 2, node: 'plan', parent_step_id: steps[1].id });
      expect(told[3]?.data).toMatchObject({ call_id: call.id, name: 'search', step_id: steps[1].id });
    },
  );

  it('Success leaves open steps and calls open, and flags them without an event', async () => {
    const { run, steps, call } = await aBusyRun();
    const before = await truth.told(run.id);
    await api.admin.post(`/v1/runs/${run.id}/succeed`);
    const after = [];
    for (const { id } of steps) after.push((await api.admin.get(`/v1/runs/${run.id}/steps/${id}`)).body);
    expect(after.map(({ status }) => status)).toEqual(['pending', 'running', 'retrying']);
    const open = (await api.admin.get(`/v1/runs/${run.id}/tool-calls/${call.id}`)).body;
    expect(open.status).toBe('running');
    for (const child of [...after, open]) {
      expect(child.metadata[FLAGS]).toEqual(['open_at_end']);
      expect([child.ended_at, child.error_type]).toEqual([null, null]);
    }
    expect(await truth.told(run.id)).toEqual([...before, 'run.succeeded']);
  });

  it('A step that begins in the future of the server is closed with latency 0 and a flag', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const step = await aStep(api.admin, run.id, { started_at: '2999-01-01T00:00:00Z' });
    await api.admin.post(`/v1/runs/${run.id}/cancel`);
    const closed = (await api.admin.get(`/v1/runs/${run.id}/steps/${step.id}`)).body;
    expect(closed.latency_ms).toBe(0);
    expect(closed.metadata[FLAGS]).toEqual(['open_at_end', 'ended_before_start']);
  });

  it('[S7] The log of a run, replayed, is the state of the run and of all that belongs to it', async () => {
    const { run } = await aBusyRun();
    await api.admin.post(`/v1/runs/${run.id}/wait`, { question: 'May I?' });
    await api.admin.post(`/v1/runs/${run.id}/resume`, { input: { yes: true } });
    await api.admin.post(`/v1/runs/${run.id}/fail`, { error: 'no', error_type: 'Sad' });
    const log = await truth.events(run.id);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_event, i) => i + 1));
    const states = new Map<string, string>();
    for (const { type, entity_id, data } of log) {
      if (type === 'approval.requested') states.set(entity_id, 'pending');
      else states.set(entity_id, type.startsWith('run.') ? type.slice(4) : data.status);
    }
    const shown = (await api.admin.get(`/v1/runs/${run.id}?include=steps,tool_calls`)).body;
    const approvals = (await api.admin.get(`/v1/approvals?run_id=${run.id}`)).body.data;
    const children = [...shown.steps.data, ...shown.tool_calls.data, ...approvals];
    const stored = [shown, ...children].map(({ id, status }) => [id, status]);
    expect([...states].sort()).toEqual(stored.sort());
    expect(log.find(({ type }) => type === 'run.waiting_human')?.data).toEqual({ question: 'May I?' });
    expect(log.find(({ type }) => type === 'run.resumed')?.data).toEqual({ yes: true });
    expect(log.at(-1)?.data).toEqual({ error: 'no', error_type: 'Sad' });
  });
});
