import type { StepStatus } from '@agentflow/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aRunningRun, aStep, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const STATUSES: StepStatus[] = [
  'pending',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
];
const FINAL = STATUSES.slice(3);
/** The moves of a step as the documents list them. */
const MOVES: Record<string, StepStatus[]> = {
  pending: ['running'],
  running: ['retrying', ...FINAL],
  retrying: ['running'],
};
const TABLE = STATUSES.flatMap((from) =>
  STATUSES.filter((to) => to !== from).map((to) => ({ from, to, isAllowed: !!MOVES[from]?.includes(to) })),
);

describe('the lifecycle of a step', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  let steps: string;
  let run: { id: string };
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  beforeEach(async () => {
    run = await aRunningRun(api.admin, { agent_id });
    steps = `/v1/runs/${run.id}/steps`;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  /** A step that was brought into a status. */
  async function aStepIn(status: StepStatus) {
    if (status !== 'retrying') return aStep(api.admin, run.id, { status });
    const { id } = await aStep(api.admin, run.id);
    return (await api.admin.patch(`${steps}/${id}`, { status })).body;
  }

  it.each(TABLE.filter(({ isAllowed }) => isAllowed))(
    '[S10] A $from step becomes $to with one event; the same again changes nothing',
    async ({ from, to }) => {
      const step = await aStepIn(from);
      const before = await truth.told(run.id);
      const moved = await api.admin.patch(`${steps}/${step.id}`, { status: to });
      expect([moved.status, moved.body.status]).toEqual([200, to]);
      expect(moved.body.ended_at === null).toBe(!FINAL.includes(to));
      expect(moved.body.retry_count).toBe(step.retry_count + (to === 'retrying' ? 1 : 0));
      expect((await api.admin.patch(`${steps}/${step.id}`, { status: to })).text).toBe(moved.text);
      const event = to === 'failed' ? 'step.failed' : FINAL.includes(to) ? 'step.completed' : 'step.updated';
      expect(await truth.told(run.id)).toEqual([...before, event]);
    },
  );

  it.each(TABLE.filter(({ isAllowed }) => !isAllowed))(
    '[S10] A $from step does not become $to, without a trace',
    async ({ from, to }) => {
      const step = await aStepIn(from);
      const before = [await truth.run(run.id), await truth.events(run.id)];
      const refused = await api.admin.patch(`${steps}/${step.id}`, { status: to, output: 'no' });
      const code = FINAL.includes(from) ? 'already_completed' : 'step.transition_refused';
      expect([refused.status, refused.body.code, refused.body.current_state]).toEqual([409, code, from]);
      if (!FINAL.includes(from)) expect(refused.body.allowed).toEqual(MOVES[from]);
      expect((await api.admin.get(`${steps}/${step.id}`)).body).toEqual(step);
      expect([await truth.run(run.id), await truth.events(run.id)]).toEqual(before);
    },
  );

  it('Retries are counted each time that they begin', async () => {
    const { id } = await aStep(api.admin, run.id);
    for (const status of ['retrying', 'running', 'retrying', 'running']) {
      await api.admin.patch(`${steps}/${id}`, { status });
    }
    expect((await api.admin.get(`${steps}/${id}`)).body.retry_count).toBe(2);
  });

  it('[S10] The first completion wins; the same again is confirmed, another is a conflict', async () => {
    const { id } = await aStep(api.admin, run.id);
    const completion = { status: 'succeeded', output: { b: 1, a: [1.0] }, cost_usd: 0.5, tokens_out: 3 };
    const done = await api.admin.patch(`${steps}/${id}`, completion);
    const respelt =
      '{ "cost_usd": "0.50", "tokens_out": 3, "output": {"a":[1],"b":1.0}, "status": "succeeded" }';
    expect((await api.admin.patch(`${steps}/${id}`, respelt)).text).toBe(done.text);
    for (const other of [
      { ...completion, output: { a: [1] } },
      { ...completion, status: 'failed' },
      { ...completion, tokens_out: 4 },
      { metadata: { more: 1 } },
    ]) {
      const refused = await api.admin.patch(`${steps}/${id}`, other);
      expect([refused.status, refused.body.code]).toEqual([409, 'already_completed']);
    }
    expect((await api.admin.get(`${steps}/${id}`)).text).toBe(done.text);
  });

  it('[S10] Payloads that merely mention a flag of ours are compared like any other', async () => {
    const { id } = await aStep(api.admin, run.id);
    const output = (n: number) => ({ status: 'succeeded', output: ['agentflow.flags', n] });
    expect((await api.admin.patch(`${steps}/${id}`, output(1))).status).toBe(200);
    expect((await api.admin.patch(`${steps}/${id}`, output(2))).status).toBe(409);
    expect((await api.admin.patch(`${steps}/${id}`, output(1))).status).toBe(200);
  });
});
