import type { RunCommand, RunStatus } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { FINAL, MOVES, STATES, aRunIn, reachableFrom } from '../support/run-states.js';
import { anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

/** Each command with its content, and with other content. */
const COMMANDS: Record<RunCommand, [content: object, other: object]> = {
  start: [{ lease_seconds: 30 }, { lease_seconds: 31 }],
  wait: [{ question: 'May I?', payload: { cost: 5 }, kind: 'tool' }, { question: 'Really?' }],
  resume: [{ input: { yes: true } }, { input: { yes: false } }],
  succeed: [{ output: { answer: 42 } }, { output: { answer: 43 } }],
  fail: [
    { error: 'no', error_type: 'Sad' },
    { error: 'no', error_type: 'Angry' },
  ],
  cancel: [{ reason: 'enough' }, { reason: 'more than enough' }],
};
const EVENTS: Record<RunCommand, string> = {
  start: 'run.started',
  wait: 'run.waiting_human',
  resume: 'run.resumed',
  succeed: 'run.succeeded',
  fail: 'run.failed',
  cancel: 'run.cancelled',
};
/** What is told before the move itself: people are asked, and their question ends with the wait. */
const toldFirst = (state: RunStatus, command: RunCommand): string[] => {
  if (command === 'wait') return ['approval.requested'];
  return state === 'waiting_human' ? ['approval.resolved'] : [];
};
const MOVE_TABLE = STATES.flatMap((state) =>
  Object.keys(COMMANDS).map((name) => {
    const command = name as RunCommand;
    return { state, command, target: MOVES[state][command] };
  }),
);

describe('the lifecycle of a run', () => {
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

  /** The run and its log, to be compared before and after. */
  const everything = async (id: string): Promise<unknown> => [await truth.run(id), await truth.events(id)];
  const move = (id: string, command: RunCommand, content: object) =>
    api.admin.post(`/v1/runs/${id}/${command}`, content);

  async function expectRefused(id: string, command: RunCommand, content: object, state: RunStatus) {
    const before = await everything(id);
    const answer = await move(id, command, content);
    expect([answer.status, answer.body.code]).toEqual([409, 'run.transition_refused']);
    expect(answer.body).toMatchObject({ current_state: state, allowed: reachableFrom(state) });
    expect(await everything(id)).toEqual(before);
  }

  it.each(MOVE_TABLE.filter(({ target }) => target))(
    '[S1] [S5] $command moves a $state run to $target with one event of the run; the same again changes nothing',
    async ({ state, command, target }) => {
      const { id } = await aRunIn(api.admin, state, { agent_id });
      const before = await truth.told(id);
      const [content, other] = COMMANDS[command];
      const moved = await move(id, command, content);
      expect([moved.status, moved.body.status]).toEqual([200, target]);
      expect(moved.body.is_terminal).toBe(FINAL.includes(target as RunStatus));
      expect(moved.body.allowed_transitions).toEqual(reachableFrom(target as RunStatus));
      expect(await truth.told(id)).toEqual([...before, ...toldFirst(state, command), EVENTS[command]]);
      const after = await everything(id);
      const again = await move(id, command, content);
      expect([again.status, again.text]).toEqual([200, moved.text]);
      expect(await everything(id)).toEqual(after);
      await expectRefused(id, command, other, target as RunStatus);
    },
  );

  it.each(MOVE_TABLE.filter(({ target }) => !target))(
    '[S1] $command of a $state run is refused, once and twice, without a trace',
    async ({ state, command }) => {
      const { id } = await aRunIn(api.admin, state, { agent_id });
      await expectRefused(id, command, COMMANDS[command][0], state);
      await expectRefused(id, command, COMMANDS[command][0], state);
    },
  );

  it.each(STATES)(
    '[S1] A heartbeat of a %s run tells the holder where it stands, without an event',
    async (state) => {
      const { id, lease_token } = await aRunIn(api.admin, state, { agent_id, lease_seconds: 60 });
      const told = await truth.told(id);
      for (const _ of ['once', 'twice']) {
        const beat = await api.admin.post(`/v1/runs/${id}/heartbeat`, { lease_token });
        expect(beat.status).toBe(200);
        expect(beat.body).toMatchObject({ status: state, cancel_requested: state === 'cancelled' });
        const isHeld = state === 'running' || state === 'waiting_human';
        expect(beat.body.lease_expires_at === null).toBe(!isHeld);
      }
      expect(await truth.told(id)).toEqual(told);
      const before = await everything(id);
      const foreign = await api.admin.post(`/v1/runs/${id}/heartbeat`, { lease_token: agent_id });
      expect([foreign.status, foreign.body.code]).toEqual([409, 'run.lease_lost']);
      expect(foreign.body.current_state).toBe(state);
      expect(await everything(id)).toEqual(before);
    },
  );

  it.each(['running', 'waiting_human'] as const)('[S1] A %s run is deleted only by force', async (state) => {
    const { id } = await aRunIn(api.admin, state, { agent_id });
    const before = await everything(id);
    for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}?force=false`]) {
      const refused = await api.admin.delete(path);
      expect([refused.status, refused.body.code]).toEqual([409, 'run.active']);
      expect(refused.body.current_state).toBe(state);
    }
    expect(await everything(id)).toEqual(before);
    expect((await api.admin.delete(`/v1/runs/${id}?force=true`)).status).toBe(204);
    expect((await api.admin.get(`/v1/runs/${id}`)).status).toBe(404);
  });

  it.each(['pending', ...FINAL] as const)('[S1] A %s run is deleted once, with its log', async (state) => {
    const { id } = await aRunIn(api.admin, state, { agent_id });
    expect((await api.admin.delete(`/v1/runs/${id}`)).status).toBe(204);
    expect((await api.admin.delete(`/v1/runs/${id}`)).status).toBe(404);
    expect((await api.admin.get(`/v1/runs/${id}`)).status).toBe(404);
    expect(await truth.events(id)).toEqual([]);
  });
});
