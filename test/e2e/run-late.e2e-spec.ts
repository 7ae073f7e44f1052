import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { FINAL } from '../support/run-states.js';
import { aRunningRun, aStep, aToolCall, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const FLAGS = 'agentflow.flags';
const ENDING = { succeeded: 'succeed', failed: 'fail', cancelled: 'cancel' } as Record<string, string>;

/** What may be completed late: how it is made, where it is, and a completion with its result. */
const KINDS = [
  ['step', aStep, 'steps', { status: 'succeeded', output: { late: true } }, 'step.completed'],
  ['tool call', aToolCall, 'tool-calls', { result: { late: true } }, 'tool_call.completed'],
] as const;

describe('completions after the end of the run', () => {
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

  /** A run that ended around an open child. */
  async function anOpenChild(make: typeof aStep, door: string, state: string) {
    const run = await aRunningRun(api.admin, { agent_id });
    const child = await make(api.admin, run.id, { metadata: { mine: 1 } });
    await api.admin.post(`/v1/runs/${run.id}/${ENDING[state]}`);
    return { run, path: `/v1/runs/${run.id}/${door}/${child.id}` };
  }

  describe.each(KINDS)('a %s', (_kind, make, door, completion, event) => {
    it.each(FINAL)(
      '[S4] that was open when the run became %s is completed within a minute, marked late, once',
      async (state) => {
        const { run, path } = await anOpenChild(make, door, state);
        await truth.endedBefore(run.id, 55);
        const before = await truth.told(run.id);
        const done = await api.admin.patch(path, completion);
        expect([done.status, done.body.status, done.body.error_type]).toEqual([200, 'succeeded', null]);
        expect(done.body.metadata).toEqual({ mine: 1, [FLAGS]: ['open_at_end', 'late'] });
        expect(done.body.output ?? done.body.result).toEqual({ late: true });
        const after = (await api.admin.get(`/v1/runs/${run.id}`)).body;
        expect(after.status).toBe(state);
        expect(after.totals).toMatchObject({ failed_steps: 0, failed_tool_calls: 0 });
        expect(await truth.told(run.id)).toEqual([...before, event]);
        expect((await api.admin.patch(path, completion)).text).toBe(done.text);
        const second = await api.admin.patch(path, { status: 'failed' });
        expect([second.status, second.body.code]).toEqual([409, 'already_completed']);
        expect(await truth.told(run.id)).toEqual([...before, event]);
      },
    );

    it.each(FINAL)(
      '[S4] that was open when the run became %s stays as it is after a minute',
      async (state) => {
        const { run, path } = await anOpenChild(make, door, state);
        await truth.endedBefore(run.id, 61);
        const before = [await api.admin.get(path), await truth.run(run.id), await truth.told(run.id)];
        const refused = await api.admin.patch(path, completion);
        expect([refused.status, refused.body.code]).toEqual([409, 'run.final']);
        expect(refused.body.current_state).toBe(state);
        const after = [await api.admin.get(path), await truth.run(run.id), await truth.told(run.id)];
        expect(after.slice(1)).toEqual(before.slice(1));
        expect((after[0] as { text: string }).text).toBe((before[0] as { text: string }).text);
      },
    );

    it('[S10] that was completed before the end is not completed again after it', async () => {
      const run = await aRunningRun(api.admin, { agent_id });
      const child = await make(api.admin, run.id);
      const path = `/v1/runs/${run.id}/${door}/${child.id}`;
      const done = await api.admin.patch(path, completion);
      await api.admin.post(`/v1/runs/${run.id}/fail`);
      expect((await api.admin.patch(path, completion)).text).toBe(done.text);
      const second = await api.admin.patch(path, { status: 'failed', error: 'no' });
      expect([second.status, second.body.code]).toEqual([409, 'already_completed']);
    });

    it('keeps AgentFlow’s flags for AgentFlow: a report that sets them is refused', async () => {
      const run = await aRunningRun(api.admin, { agent_id });
      const metadata = { [FLAGS]: ['open_at_end'] };
      const node = door === 'steps' ? { node: 'plan' } : { name: 'search' };
      const child = await make(api.admin, run.id);
      const refused = [
        await api.admin.post(`/v1/runs/${run.id}/${door}`, { ...node, metadata }),
        await api.admin.patch(`/v1/runs/${run.id}/${door}/${child.id}`, { ...completion, metadata }),
      ];
      for (const { status, body } of refused) {
        expect([status, body.errors[0].pointer]).toEqual([400, `/metadata/${FLAGS}`]);
      }
    });
  });

  it('[S4] A step is only completed late, not otherwise changed', async () => {
    const { path } = await anOpenChild(aStep, 'steps', 'succeeded');
    for (const change of [{ output: 1 }, { status: 'retrying' }]) {
      const refused = await api.admin.patch(path, change);
      expect([refused.status, refused.body.code]).toEqual([409, 'run.final']);
    }
  });

  it('[S4] A completion without an id finds the call that was open when the run ended', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const [first, second] = [await aToolCall(api.admin, run.id), await aToolCall(api.admin, run.id)];
    await api.admin.post(`/v1/runs/${run.id}/cancel`);
    const complete = (result: number) =>
      api.admin.post(`/v1/runs/${run.id}/tool-calls/complete`, { name: 'search', result });
    for (const [i, { id }] of [first, second].entries()) {
      const done = await complete(i);
      expect([done.status, done.body.id, done.body.status, done.body.result]).toEqual([
        200,
        id,
        'succeeded',
        i,
      ]);
      expect(done.body.metadata[FLAGS]).toEqual(['open_at_end', 'late']);
    }
    expect((await complete(3)).status).toBe(404);
  });

  it('Usage that is reported late still counts in the totals', async () => {
    const { run, path } = await anOpenChild(aStep, 'steps', 'cancelled');
    await api.admin.patch(path, { status: 'succeeded', tokens_in: 7, cost_usd: '0.5' });
    const { totals } = (await api.admin.get(`/v1/runs/${run.id}`)).body;
    expect(totals).toMatchObject({ tokens_in: 7, cost_usd: '0.5' });
  });
});
