import type { RunCommand } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Client } from '../support/client.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce, race } from '../support/race.js';
import { MOVES, reachableFrom } from '../support/run-states.js';
import { aRun, aRunningRun, aStep, aWaitingRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const RACES = 200;

/** The ends of a run, each with content of its own. */
const ENDS: [RunCommand, object][] = [
  ['cancel', { reason: 'enough' }],
  ['succeed', { output: { done: true } }],
  ['fail', { error: 'no', error_type: 'Sad' }],
];

describe('ends that meet over two api instances', () => {
  let apis: ApiPair;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
    agent_id = (await anAgent(apis.first.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const at = (i: number): Client => apis.admins[i % 2] as Client;

  function winnerOf(answers: Answer[]): Answer {
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect([winner === undefined, others]).toEqual([false, []]);
    const { status, ended_at } = (winner as Answer).body;
    for (const { body, ...loser } of answers.filter((answer) => answer !== winner)) {
      expect([loser.status, body.code]).toEqual([409, 'run.transition_refused']);
      expect([body.current_state, body.allowed]).toEqual([status, reachableFrom(status)]);
    }
    expect(typeof ended_at).toBe('string');
    return winner as Answer;
  }

  it(`[S3] In ${RACES} races of cancel, succeed and fail one wins, and the run ends once, as the winner says`, async () => {
    const wins = new Set<string>();
    await race(RACES, async (i) => {
      const run = await aRunningRun(at(i), { agent_id });
      const step = await aStep(at(i), run.id);
      const order = [...ENDS.slice(i % 3), ...ENDS.slice(0, i % 3)];
      const answers = await Promise.all(
        order.map(([command, content], n) => at(i + n).post(`/v1/runs/${run.id}/${command}`, content)),
      );
      const { body } = winnerOf(answers);
      wins.add(body.status);
      expect((await at(i).get(`/v1/runs/${run.id}`)).body).toEqual(body);
      const told = (await truth.told(run.id)).slice(3);
      const closing = { failed: ['step.failed'], cancelled: ['step.completed'] }[body.status as string] ?? [];
      expect(told).toEqual([...closing, `run.${body.status}`]);
      const shown = (await at(i).get(`/v1/runs/${run.id}/steps/${step.id}`)).body;
      expect(shown.status).toBe(body.status === 'succeeded' ? 'running' : body.status);
    });
    expect(wins.size).toBeGreaterThan(1);
  }, 90_000);

  it('[S3] The same end many times at once is one end, confirmed to all', async () => {
    await race(30, async (i) => {
      const run = await aRunningRun(at(i), { agent_id });
      const [command, content] = ENDS[i % 3] as [RunCommand, object];
      const answers = await atOnce(5, (n) => at(n).post(`/v1/runs/${run.id}/${command}`, content));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await truth.told(run.id)).toEqual([
        'run.created',
        'run.started',
        `run.${MOVES.running[command]}`,
      ]);
    });
  });

  it('[S2] A waiting run is resumed once, with one answer, or cancelled', async () => {
    await race(60, async (i) => {
      const run = await aWaitingRun(at(i), { agent_id });
      const answers = await Promise.all([
        ...[0, 1, 2].map((n) => at(n).post(`/v1/runs/${run.id}/resume`, { input: { answer: n } })),
        at(i).post(`/v1/runs/${run.id}/cancel`, { reason: 'enough' }),
      ]);
      const resumed = answers.slice(0, 3).filter(({ status }) => status === 200);
      expect(resumed.length).toBeLessThanOrEqual(1);
      const told = (await truth.told(run.id)).slice(3);
      expect(told.filter((type) => type === 'run.resumed')).toHaveLength(resumed.length);
      expect(told.at(-1)).toBe('run.cancelled'); // from either state
      const events = await truth.events(run.id);
      const answer = events.find(({ type }) => type === 'run.resumed')?.data;
      expect(answer).toEqual(resumed[0]?.body.resume_input);
    });
  });

  it('[S1] A refusal names the state that refused: what comes a moment later does not get into it', async () => {
    await race(60, async (i) => {
      const run = await aRun(at(i), { agent_id });
      const path = `/v1/runs/${run.id}`;
      const [waited, started] = await Promise.all([
        at(i).post(`${path}/wait`),
        at(i + 1).post(`${path}/start`),
      ]);
      expect(started.status).toBe(200);
      if (waited.status === 409) {
        expect([waited.body.current_state, waited.body.allowed]).toEqual([
          'pending',
          reachableFrom('pending'),
        ]);
        expect((await at(i).post(`${path}/wait`)).status).toBe(200);
      }
      await at(i).post(`${path}/resume`);
      const [deleted, ended] = await Promise.all([at(i).delete(path), at(i + 1).post(`${path}/succeed`)]);
      expect([200, 410]).toContain(ended.status);
      if (deleted.status === 409)
        expect([deleted.body.current_state, ended.status]).toEqual(['running', 200]);
      else expect(deleted.status).toBe(204);
    });
  });
});
