import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Client } from '../support/client.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce, race } from '../support/race.js';
import { openStream } from '../support/streams.js';
import { aRunningRun, aToolCall, aWaitingRun, anAgent } from '../support/things.js';
import { approvalWatches, roundsOf } from '../support/workers.js';

const RACES = 50;
const AT_ONCE = 5;

type Members = Record<string, unknown>;
type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

describe('decisions that meet over two api instances', () => {
  let apis: ApiPair;
  let agent_id: string;
  beforeAll(async () => {
    apis = await aPairOfApis();
    agent_id = (await anAgent(apis.first.admin)).id;
  });
  afterAll(() => apis.close());

  const at = (i: number): Client => apis.admins[i % 2] as Client;
  const won = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

  async function asking(asked: Members[]): Promise<{ run: Thing; ids: string[] }> {
    const { id } = await aRunningRun(at(0), { agent_id });
    const { body } = await at(1).post(`/v1/runs/${id}/wait`, { approvals: asked });
    return { run: body, ids: body.waiting_for.approvals.map((one: Thing) => one.id as string) };
  }

  /** All that the log of a run holds behind its first two events, once the run is ended here. */
  async function logOf(runId: string): Promise<Thing[]> {
    const run = (await at(0).get(`/v1/runs/${runId}`)).body;
    if (!run.is_terminal) await at(0).post(`/v1/runs/${runId}/cancel`, {});
    const stream = await openStream(apis.first, `/v1/runs/${runId}/events`, apis.first.adminKey);
    const events = (await stream.rest()).map(({ data }) => data as Thing);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
    return events.slice(2);
  }
  const count = (events: Thing[], wanted: string): number =>
    events.filter(({ type }) => type === wanted).length;

  it(`[S2] Of ${AT_ONCE} different answers by resuming one counts, ${RACES} times, with one event of each kind`, async () => {
    await race(RACES, async (i) => {
      const { id } = await aWaitingRun(at(i), { agent_id });
      const answers = await atOnce(AT_ONCE, (n) => at(n).post(`/v1/runs/${id}/resume`, { input: n }));
      const winners = won(answers);
      expect(winners).toHaveLength(1);
      const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
      expect(codes).toEqual(Array(AT_ONCE - 1).fill('run.transition_refused'));
      const { body } = await at(i).get(`/v1/approvals?run_id=${id}`);
      expect(body.data).toHaveLength(1);
      const approval = (await at(i).get(`/v1/approvals/${body.data[0].id}`)).body;
      expect([approval.status, approval.answer]).toEqual(['responded', winners[0]?.body.resume_input]);
      const events = await logOf(id);
      expect([count(events, 'approval.resolved'), count(events, 'run.resumed')]).toEqual([1, 1]);
    });
  });

  it(`[S2 S6] Of ${AT_ONCE} different decisions at once one counts, ${RACES} times, and the others are told which`, async () => {
    const decisions = [
      { decision: 'approve' },
      { decision: 'reject' },
      { decision: 'edit', answer: 1 },
      { decision: 'approve', reason: 'because' },
      { decision: 'edit', answer: 2 },
    ];
    await race(RACES, async () => {
      const { run, ids } = await asking([{ kind: 'tool' }]);
      const answers = await atOnce(AT_ONCE, (n) =>
        at(n).post(`/v1/approvals/${ids[0]}/decide`, decisions[n]),
      );
      const winners = won(answers);
      expect(winners).toHaveLength(1);
      const { status, decided_at } = winners[0]?.body;
      for (const { status: refused, body } of answers.filter((answer) => answer.status !== 200))
        expect([refused, body.code, body.current_state, body.decided_at]).toEqual([
          409,
          'approval.decided',
          status,
          decided_at,
        ]);
      const resumed = (await at(0).get(`/v1/runs/${run.id}`)).body;
      expect(resumed.resume_input.approvals).toMatchObject([{ id: ids[0], status }]);
      const events = await logOf(run.id);
      expect([count(events, 'approval.resolved'), count(events, 'run.resumed')]).toEqual([1, 1]);
    });
  });

  it(`[S2] The same decision from ${AT_ONCE} at once is a success for all of them, and happens once, ${RACES} times`, async () => {
    await race(RACES, async () => {
      const { run, ids } = await asking([{ kind: 'gate' }]);
      const answers = await atOnce(AT_ONCE, (n) =>
        at(n).post(`/v1/approvals/${ids[0]}/decide`, { decision: 'approve' }),
      );
      expect(won(answers)).toHaveLength(AT_ONCE);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const events = await logOf(run.id);
      expect([count(events, 'approval.resolved'), count(events, 'run.resumed')]).toEqual([1, 1]);
    });
  });

  it(`[S2] Of the last decisions of one run, made at once, one resumes it, ${RACES} times`, async () => {
    await race(RACES, async () => {
      const { run, ids } = await asking(Array(AT_ONCE).fill({ kind: 'gate' }));
      const answers = await atOnce(AT_ONCE, (n) =>
        at(n).post(`/v1/approvals/${ids[n]}/decide`, { decision: 'approve' }),
      );
      expect(won(answers)).toHaveLength(AT_ONCE);
      const resumed = (await at(0).get(`/v1/runs/${run.id}`)).body;
      expect(resumed.status).toBe('running');
      expect(resumed.resume_input.approvals.map(({ id }: Thing) => id)).toEqual(ids);
      const events = await logOf(run.id);
      expect([count(events, 'approval.resolved'), count(events, 'run.resumed')]).toEqual([AT_ONCE, 1]);
    });
  });

  it(`[S3] A decision and a cancellation that meet leave one end and no open approval, ${RACES} times`, async () => {
    await race(RACES, async () => {
      const { run, ids } = await asking([{ kind: 'gate' }, { kind: 'gate' }]);
      const [decided, cancelled] = await Promise.all([
        at(0).post(`/v1/approvals/${ids[0]}/decide`, { decision: 'approve' }),
        at(1).post(`/v1/runs/${run.id}/cancel`, {}),
      ]);
      expect(cancelled?.status).toBe(200);
      const { body } = await at(0).get(`/v1/approvals?run_id=${run.id}`);
      const statuses = Object.fromEntries(body.data.map(({ id, status }: Thing) => [id, status]));
      const first = decided?.status === 200 ? 'approved' : 'cancelled';
      expect([statuses[ids[0] as string], statuses[ids[1] as string]]).toEqual([first, 'cancelled']);
      const events = await logOf(run.id);
      expect([count(events, 'approval.resolved'), count(events, 'run.cancelled')]).toEqual([2, 1]);
      expect(events.at(-1)?.type).toBe('run.cancelled');
    });
  });

  it('[S6] Parallel approvals that are decided in reverse order each reach their own tool call', async () => {
    const { id } = await aRunningRun(at(0), { agent_id });
    const calls = await atOnce(8, (n) => aToolCall(at(n), id, { name: 'send', arguments: { n } }));
    const { body } = await at(0).post(`/v1/runs/${id}/wait`, {
      approvals: calls.map((call) => ({ kind: 'tool', tool_call_id: call.id })),
    });
    const asked = body.waiting_for.approvals as Thing[];
    for (const [n, { id: approval }] of [...asked.entries()].reverse()) {
      const edit = { decision: 'edit', answer: { n: n + 100 } };
      expect((await at(n).post(`/v1/approvals/${approval}/decide`, edit)).status).toBe(200);
    }
    const { resume_input } = (await at(1).get(`/v1/runs/${id}`)).body;
    expect(resume_input.approvals.map(({ tool_call_id, answer }: Thing) => [tool_call_id, answer])).toEqual(
      calls.map((call, n) => [call.id, { n: n + 100 }]),
    );
    const resolved = (await logOf(id)).filter(({ type }) => type === 'approval.resolved');
    expect(resolved.map(({ data }) => data.tool_call_id)).toEqual(calls.map((call) => call.id).reverse());
  });

  it('[S2] Two sweepers and a person who meet at the due time leave one outcome each', async () => {
    const sweep = () => roundsOf(apis.first.database, { ...approvalWatches(2), lockTimeoutMs: 5_000 });
    const due_at = '2020-01-01T00:00:00Z';
    const asked = await atOnce(20, (n) =>
      asking([
        { kind: 'gate', due_at, on_due: n % 2 ? 'reject' : 'cancel' },
        { kind: 'gate', due_at, on_due: 'reject' },
      ]),
    );
    const decided = Promise.all(
      asked.map(({ ids }, n) => at(n).post(`/v1/approvals/${ids[0]}/decide`, { decision: 'approve' })),
    );
    await sweep();
    const answers = await decided;
    await sweep();
    for (const [n, { run, ids }] of asked.entries()) {
      const { body } = await at(0).get(`/v1/approvals/${ids[0]}`);
      const byNobody = n % 2 ? 'rejected' : 'expired';
      expect(body.status).toBe(answers[n]?.status === 200 ? 'approved' : byNobody);
      const { status } = (await at(0).get(`/v1/runs/${run.id}`)).body;
      const isCancelled = body.status === 'expired';
      expect(status).toBe(isCancelled ? 'cancelled' : 'running');
      const events = await logOf(run.id);
      expect([count(events, 'approval.resolved'), count(events, 'run.resumed')]).toEqual([
        2,
        isCancelled ? 0 : 1,
      ]);
    }
  });
});
