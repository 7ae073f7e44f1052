import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { FINAL, STATES, aRunIn } from '../support/run-states.js';
import { aRunningRun, aStep, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

/** Each kind of child: its door, a report of it, other content for the same id, and how the log names it. */
const KINDS = [
  ['step', 'steps', { node: 'plan' }, { node: 'act' }, 'step.started'],
  [
    'message',
    'messages',
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Ho' },
    'message.created',
  ],
  ['tool call', 'tool-calls', { name: 'search' }, { name: 'find' }, 'tool_call.started'],
  ['checkpoint', 'checkpoints', { state: { at: 1 } }, { state: { at: 2 } }, 'checkpoint.created'],
] as const;
const OPEN = STATES.filter((state) => !FINAL.includes(state));

describe('what belongs to a run', () => {
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

  const everything = async (id: string): Promise<unknown> => [await truth.run(id), await truth.events(id)];

  describe.each(KINDS)('a %s', (_kind, door, content, other, event) => {
    it.each(OPEN)(
      '[S1] [S5] is added to a %s run with one event; the same again is the stored one, other content a conflict',
      async (state) => {
        const run = await aRunIn(api.admin, state, { agent_id });
        const before = await truth.told(run.id);
        const path = `/v1/runs/${run.id}/${door}`;
        const id = randomUUID();
        const added = await api.admin.post(path, { ...content, id });
        expect([added.status, added.body.id]).toEqual([201, id]);
        expect(await truth.told(run.id)).toEqual([...before, event]);
        const after = await everything(run.id);
        const again = await api.admin.post(path, { ...content, id });
        expect([again.status, again.text]).toEqual([200, added.text]);
        const conflict = await api.admin.post(path, { ...other, id });
        expect([conflict.status, conflict.body.code]).toEqual([409, 'id_conflict']);
        expect(await everything(run.id)).toEqual(after);
      },
    );

    it.each(FINAL)('[S1] [S4] is refused by a %s run, once and twice, without a trace', async (state) => {
      const run = await aRunIn(api.admin, state, { agent_id });
      const before = await everything(run.id);
      for (const _ of ['once', 'twice']) {
        const refused = await api.admin.post(`/v1/runs/${run.id}/${door}`, { ...content, id: randomUUID() });
        expect([refused.status, refused.body.code]).toEqual([409, 'run.final']);
        expect(refused.body.current_state).toBe(state);
      }
      expect(await everything(run.id)).toEqual(before);
    });

    it('[S4] that was there before the end is still confirmed after it', async () => {
      const run = await aRunningRun(api.admin, { agent_id });
      const report = { ...content, id: randomUUID() };
      await api.admin.post(`/v1/runs/${run.id}/${door}`, report);
      await api.admin.post(`/v1/runs/${run.id}/succeed`);
      const after = await everything(run.id);
      expect((await api.admin.post(`/v1/runs/${run.id}/${door}`, report)).status).toBe(200);
      expect(await everything(run.id)).toEqual(after);
    });

    it('[S10] lives apart from one of the same id in another run, save that a call_id stands for one call', async () => {
      const id = randomUUID();
      const statuses: number[] = [];
      for (const report of [content, other]) {
        const run = await aRunningRun(api.admin, { agent_id });
        statuses.push((await api.admin.post(`/v1/runs/${run.id}/${door}`, { ...report, id })).status);
      }
      expect(statuses).toEqual([201, door === 'tool-calls' ? 409 : 201]);
    });

    it('[S10] cannot name a step of another run, nor one that is not there', async () => {
      const [run, elsewhere] = [
        await aRunningRun(api.admin, { agent_id }),
        await aRunningRun(api.admin, { agent_id }),
      ];
      const foreign = await aStep(api.admin, elsewhere.id);
      const member = door === 'steps' ? 'parent_step_id' : 'step_id';
      const before = await everything(run.id);
      for (const step of [foreign.id, randomUUID()]) {
        const refused = await api.admin.post(`/v1/runs/${run.id}/${door}`, { ...content, [member]: step });
        expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
      }
      expect(await everything(run.id)).toEqual(before);
    });

    it('is added by reporters only, and never to a run that is not there', async () => {
      const run = await aRunningRun(api.admin, { agent_id });
      expect((await api.as(undefined).post(`/v1/runs/${run.id}/${door}`, content)).status).toBe(401);
      expect((await api.admin.post(`/v1/runs/${randomUUID()}/${door}`, content)).status).toBe(404);
      expect((await api.admin.get(`/v1/runs/${randomUUID()}/${door}`)).status).toBe(404);
    });
  });
});
