import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient, type Client } from '../support/client.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { anAdminKey } from '../support/process-keys.js';
import { atOnce, race } from '../support/race.js';
import { openStream } from '../support/streams.js';
import { aCheckpoint, aRunningRun, aToolCall, aWaitingRun, anAgent } from '../support/things.js';

type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

const RUNS = 200;
const AT_ONCE = 5;
const ROUNDS = 10;
const LARGE = 'x'.repeat(4 * 1024 * 1024 - 64);

describe('decisions over two api processes', () => {
  const key = anAdminKey();
  let database: TestDatabase;
  let settings: Record<string, string>;
  let processes: ApiProcess[];
  let agent_id: string;

  beforeAll(async () => {
    database = await aDatabase();
    settings = {
      DATABASE_URL: database.appUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_BOOTSTRAP_KEY: key,
      AGENTFLOW_LOG_LEVEL: 'error',
      AGENTFLOW_MAX_REQUEST_BYTES: String(5 * 1024 * 1024),
    };
    processes = [await anApiProcess(settings), await anApiProcess(settings)];
    agent_id = (await anAgent(at(0))).id;
  });
  afterAll(async () => {
    expect(await Promise.all(processes.map((process) => process.stop()))).toEqual([0, 0]);
    await database.drop();
  });

  const urlOf = (i: number): string => (processes[i % 2] as ApiProcess).url;
  const at = (i: number): Client => aClient(urlOf(i), key);

  /** How often each of these happened to each run, by the words of its log and of the audit log. */
  async function effectsOf(runs: readonly string[]): Promise<Record<string, number>[]> {
    const { rows } = await connected(database.adminUrl, (client) =>
      client.query<{ run_id: string; word: string; count: number }>(
        `SELECT run_id, type AS word, count(*)::integer AS count FROM run_events
         WHERE type IN ('approval.resolved', 'run.resumed') GROUP BY 1, 2
         UNION ALL
         SELECT coalesce((after ->> 'run_id')::uuid, entity_id), 'told', count(*)::integer FROM audit_log
         WHERE action IN ('approval.decided', 'run.resumed') GROUP BY 1`,
      ),
    );
    return runs.map((id) =>
      Object.fromEntries(rows.filter(({ run_id }) => run_id === id).map(({ word, count }) => [word, count])),
    );
  }

  it(`[S2 S6] ${RUNS} runs, each resumed or decided by ${AT_ONCE} at once: one counts each, with one event and one entry in the audit log`, async () => {
    const runs: string[] = [];
    const odd: unknown[] = [];
    await race(RUNS, async (i) => {
      const { id } = await aWaitingRun(at(i), { agent_id });
      runs.push(id);
      const { body } = await at(i + 1).get(`/v1/approvals?run_id=${id}`);
      const answers = await atOnce(AT_ONCE, (n) =>
        i % 2 === 0
          ? at(n).post(`/v1/runs/${id}/resume`, { input: n })
          : at(n).post(`/v1/approvals/${body.data[0].id}/decide`, { decision: 'respond', answer: n }),
      );
      const winners = answers.filter(({ status }) => status === 200);
      const given = i % 2 === 0 ? winners[0]?.body.resume_input : winners[0]?.body.answer;
      const run = (await at(i + 1).get(`/v1/runs/${id}`)).body;
      const refused = answers.filter(({ status }) => status === 409).length;
      const seen = [winners.length, refused, run.status, run.resume_input];
      const expected = [1, AT_ONCE - 1, 'running', given];
      if (JSON.stringify(seen) !== JSON.stringify(expected)) odd.push({ id, seen, expected });
    });
    expect(odd).toEqual([]);
    expect(await effectsOf(runs)).toEqual(
      runs.map(() => ({ 'approval.resolved': 1, 'run.resumed': 1, told: 1 })),
    );
  });

  it(`[S6] who decides as soon as the event comes finds all that the run needs to go on: ${ROUNDS} times, with a checkpoint of 4 MB`, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const { id } = await aRunningRun(at(i), { agent_id });
      const events = await openStream({ url: urlOf(i + 1) }, `/v1/runs/${id}/events`, key);
      const checkpoint = await aCheckpoint(at(i), id, { state: { i, LARGE } });
      const call = await aToolCall(at(i), id, { name: 'book', arguments: { i } });
      const asked = at(i).post(`/v1/runs/${id}/wait`, {
        approvals: [{ kind: 'tool', tool_call_id: call.id }],
      });
      let event: Thing;
      do event = (await events.next())?.data;
      while (event.type !== 'approval.requested');
      events.close();
      // Nothing is waited for in between: not even the answer to whoever asked.
      const approval = event.data.approval_id as string;
      const edit = { decision: 'edit', answer: { i: i + 1 } };
      const [decided, latest, waiting] = await Promise.all([
        at(i + 1).post(`/v1/approvals/${approval}/decide`, edit),
        at(i + 1).get(`/v1/runs/${id}/checkpoints/latest`),
        asked,
      ]);
      expect([decided.status, latest.status, waiting.status]).toEqual([200, 200, 200]);
      expect([latest.body.id, latest.body.state.i]).toEqual([checkpoint.id, i]);
      expect(latest.body.state.LARGE === LARGE).toBe(true);
      const run = (await at(i).get(`/v1/runs/${id}`)).body;
      expect(run).toMatchObject({
        status: 'running',
        resume_input: { approvals: [{ id: approval, tool_call_id: call.id, answer: { i: i + 1 } }] },
      });
    }
  });

  it(`[S6] a batch that pauses a run shows the event no sooner than its checkpoint of 4 MB, ${ROUNDS} times`, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const { id } = await aRunningRun(at(i), { agent_id });
      const events = await openStream({ url: urlOf(i + 1) }, `/v1/runs/${id}/events`, key);
      const about = { run_id: id, at: new Date().toISOString() };
      const sent = at(i).post('/v1/ingest', [
        { type: 'run.moved', ...about, status: 'waiting_human', question: 'May I?' },
        { type: 'checkpoint', ...about, id: randomUUID(), state: { i, LARGE } },
      ]);
      while ((await events.next())?.type !== 'run.waiting_human');
      events.close();
      const [resumed, latest] = await Promise.all([
        at(i + 1).post(`/v1/runs/${id}/resume`, { input: 'yes' }),
        at(i + 1).get(`/v1/runs/${id}/checkpoints/latest`),
      ]);
      expect([resumed.status, latest.status, latest.body.state.i]).toEqual([200, 200, i]);
      expect((await sent).body.counts).toMatchObject({ rejected: 0 });
    }
  });

  it('[S6] approvals that are decided in reverse order, one of them across a restart, each reach their own tool call', async () => {
    const { id } = await aRunningRun(at(0), { agent_id });
    const calls = await atOnce(6, (n) => aToolCall(at(n), id, { name: 'send', arguments: { n } }));
    const approvals = calls.map((call) => ({ kind: 'tool', tool_call_id: call.id }));
    const { body } = await at(0).post(`/v1/runs/${id}/wait`, { approvals });
    const asked = body.waiting_for.approvals as Thing[];
    const decide = (n: number): Promise<unknown> =>
      at(n).post(`/v1/approvals/${asked[n].id}/decide`, { decision: 'edit', answer: { n: n + 100 } });
    await decide(5);
    await decide(4);
    // The next decision is under way as both processes die, and is sent again to those that come after them.
    const cut = decide(3).catch(() => undefined);
    for (const { process } of processes) process.kill('SIGKILL');
    await Promise.all([cut, ...processes.map(({ ended }) => ended)]);
    processes = [await anApiProcess(settings), await anApiProcess(settings)];
    for (const n of [3, 2, 1, 0]) expect(await decide(n)).toMatchObject({ status: 200 });
    const run = (await at(1).get(`/v1/runs/${id}`)).body;
    expect(run.status).toBe('running');
    expect(
      run.resume_input.approvals.map(({ tool_call_id, answer }: Thing) => [tool_call_id, answer]),
    ).toEqual(calls.map((call, n) => [call.id, { n: n + 100 }]));
    expect(await effectsOf([id])).toEqual([{ 'approval.resolved': 6, 'run.resumed': 1, told: 6 }]);
  });
});
