import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import { leaseWatches, roundsOf } from '../support/workers.js';
import { aRun, aRunningRun, aStep, aToolCall, aWaitingRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

/** A write of a run's holder, or of somebody who says so. */
type Write = (client: Client, run: Held, headers: Record<string, string>) => Promise<Answer>;

interface Held {
  readonly id: string;
  readonly stepId: string;
  readonly callId: string;
}

const below =
  (path: string, body: object): Write =>
  (client, { id }, headers) =>
    client.post(`/v1/runs/${id}/${path}`, body, headers);

/** Every door that writes to a run or below one. */
const WRITES: [what: string, write: Write][] = [
  ['a step', below('steps', { node: 'plan' })],
  [
    'the change of a step',
    (client, { id, stepId }, headers) =>
      client.patch(`/v1/runs/${id}/steps/${stepId}`, { status: 'succeeded' }, headers),
  ],
  ['a message', below('messages', { role: 'user', content: 'Hello' })],
  ['a tool call', below('tool-calls', { name: 'search' })],
  [
    'the end of a tool call',
    (client, { id, callId }, headers) =>
      client.patch(`/v1/runs/${id}/tool-calls/${callId}`, { result: 1 }, headers),
  ],
  ['the end of a tool call by its name', below('tool-calls/complete', { name: 'search' })],
  ['a checkpoint', below('checkpoints', { state: { at: 1 } })],
  ['the move to wait', below('wait', { question: 'May I?' })],
  ['the success', below('succeed', { output: 1 })],
  ['the failure', below('fail', { error: 'no' })],
  ['the cancellation', below('cancel', { reason: 'enough' })],
];
const ENDS = ['the success', 'the failure', 'the cancellation'];

const EXPIRES = 'agentflow-lease-expires-at';
const CANCELLED = 'agentflow-cancel-requested';

describe('leases', () => {
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

  const holding = (token: string): Record<string, string> => ({ 'agentflow-lease': token });

  /** A running run under a lease, with an open step and an open tool call. */
  async function aHeldRun(): Promise<Held & { token: string }> {
    const run = await aRunningRun(api.admin, { agent_id, lease_seconds: 600 });
    const [step, call] = [await aStep(api.admin, run.id), await aToolCall(api.admin, run.id)];
    return { id: run.id, stepId: step.id, callId: call.id, token: run.lease_token };
  }

  /** Lets the lease have so many seconds left, fewer than none when it has expired. */
  const left = (id: string, seconds: number): Promise<unknown> =>
    truth.query(`UPDATE runs SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1`, [
      id,
      seconds,
    ]);

  const stored = async (id: string): Promise<unknown> =>
    Promise.all([
      truth.run(id),
      truth.events(id),
      ...['steps', 'messages', 'tool_calls', 'checkpoints'].map((table) =>
        truth.query(`SELECT * FROM ${table} WHERE run_id = $1 ORDER BY id`, [id]),
      ),
    ]);

  const expectLost = ({ status, body, headers }: Answer, current_state: string): void => {
    expect([status, body.code, body.current_state]).toEqual([409, 'run.lease_lost', current_state]);
    expect([headers.get(EXPIRES), headers.get(CANCELLED)]).toEqual([null, null]);
  };

  it.each(WRITES)('[Z10] %s from the holder prolongs his lease, and tells him so', async (what, write) => {
    const run = await aHeldRun();
    await left(run.id, 30);
    const answer = await write(api.admin, run, holding(run.token));
    expect(answer.status).toBeLessThan(300);
    const [{ expires, seconds }] = await truth.query(
      `SELECT lease_expires_at AS expires, extract(epoch FROM lease_expires_at - now())::float AS seconds
       FROM runs WHERE id = $1`,
      [run.id],
    );
    if (ENDS.includes(what)) expect([expires, answer.headers.get(EXPIRES)]).toEqual([null, null]);
    else {
      expect(seconds).toBeGreaterThan(300);
      expect(Date.parse(answer.headers.get(EXPIRES) as string)).toBe(expires.getTime());
      expect(answer.headers.get(EXPIRES)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
    expect(answer.headers.get(CANCELLED)).toBe(String(what === 'the cancellation'));
  });

  it.each(WRITES)('[Z10] %s under another token is refused, and nothing is written', async (_, write) => {
    const run = await aHeldRun();
    const before = await stored(run.id);
    expectLost(await write(api.admin, run, holding(randomUUID())), 'running');
    expect(await stored(run.id)).toEqual(before);
  });

  it.each(WRITES)(
    '[Z10] %s under a lease that has expired is refused before anybody has swept the run, and after',
    async (_, write) => {
      const run = await aHeldRun();
      await left(run.id, -1);
      const before = await stored(run.id);
      expectLost(await write(api.admin, run, holding(run.token)), 'running');
      expect(await stored(run.id)).toEqual(before);
      await roundsOf(api.database, leaseWatches());
      const swept = await stored(run.id);
      expectLost(await write(api.admin, run, holding(run.token)), 'failed');
      expect(await stored(run.id)).toEqual(swept);
    },
  );

  it.each(WRITES)(
    '%s without the header is taken on a run under a lease, and prolongs nothing',
    async (_, write) => {
      const run = await aHeldRun();
      await left(run.id, 30);
      const answer = await write(api.admin, run, {});
      expect(answer.status).toBeLessThan(300);
      expect([answer.headers.get(EXPIRES), answer.headers.get(CANCELLED)]).toEqual([null, null]);
      expect(
        await truth.count('runs', `id = $1 AND lease_expires_at > now() + interval '40 s'`, [run.id]),
      ).toBe(0);
    },
  );

  it('On a run without a lease nobody is its holder, whatever the token', async () => {
    const { id } = await aRunningRun(api.admin, { agent_id });
    for (const write of [below('steps', { node: 'x' }), below('succeed', {})]) {
      expectLost(await write(api.admin, { id, stepId: '', callId: '' }, holding(randomUUID())), 'running');
    }
    expect(await truth.told(id)).toEqual(['run.created', 'run.started']);
  });

  it.each(['', 'no-id', '00000000-0000-0000-0000-000000000000', 'a'.repeat(300)])(
    'A header that is no token (%s) is refused with where it stands',
    async (token) => {
      const run = await aHeldRun();
      const answer = await api.admin.post(`/v1/runs/${run.id}/steps`, { node: 'x' }, holding(token));
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [{ pointer: 'AgentFlow-Lease', detail: expect.any(String) }],
      ]);
    },
  );

  it('Who repeats a write is heard of as well: the stored row, and a longer lease', async () => {
    const run = await aHeldRun();
    const step = { id: randomUUID(), node: 'again' };
    await api.admin.post(`/v1/runs/${run.id}/steps`, step, holding(run.token));
    await left(run.id, 30);
    const again = await api.admin.post(`/v1/runs/${run.id}/steps`, step, holding(run.token));
    expect([again.status, again.body.id]).toEqual([200, step.id]);
    expect(
      await truth.count('runs', `id = $1 AND lease_expires_at > now() + interval '300 s'`, [run.id]),
    ).toBe(1);
  });

  it('A refused write prolongs nothing, and promises nothing', async () => {
    const run = await aHeldRun();
    await left(run.id, 30);
    const body = { node: 'x', parent_step_id: randomUUID() };
    const refused = await api.admin.post(`/v1/runs/${run.id}/steps`, body, holding(run.token));
    expect([refused.status, refused.headers.get(EXPIRES)]).toEqual([404, null]);
    expect(
      await truth.count('runs', `id = $1 AND lease_expires_at < now() + interval '40 s'`, [run.id]),
    ).toBe(1);
  });

  it('An Idempotency-Key and a lease go together: the write is done once, and refused when the lease is lost', async () => {
    const run = await aHeldRun();
    const headers = { ...holding(run.token), 'idempotency-key': randomUUID() };
    const write = (more: object = {}) =>
      api.admin.post(`/v1/runs/${run.id}/steps`, { node: 'once' }, { ...headers, ...more });
    const first = await write();
    expect([first.status, first.headers.get(CANCELLED)]).toEqual([201, 'false']);
    expect(await write()).toMatchObject({ status: 201, body: first.body });
    await left(run.id, -1);
    expectLost(await write({ 'idempotency-key': randomUUID() }), 'running');
    expect(await truth.count('steps', `run_id = $1 AND node = 'once'`, [run.id])).toBe(1);
  });

  it('[S4] A cancellation moves the run at once; its holder learns it by heartbeat and by the answer to his next write', async () => {
    const run = await aHeldRun();
    const cancelled = await api.admin.post(`/v1/runs/${run.id}/cancel`, { reason: 'enough' });
    expect(cancelled.body.status).toBe('cancelled');
    const beat = await api.admin.post(`/v1/runs/${run.id}/heartbeat`, { lease_token: run.token });
    expect(beat.body).toEqual({ status: 'cancelled', cancel_requested: true, lease_expires_at: null });
    const writes = [
      [below('steps', { node: 'x' }), 409, 'run.final'],
      [below('succeed', {}), 409, 'run.transition_refused'],
    ] as const;
    for (const [write, status, code] of writes) {
      const answer = await write(api.admin, run, holding(run.token));
      expect([answer.status, answer.body.code, answer.headers.get(CANCELLED)]).toEqual([
        status,
        code,
        'true',
      ]);
    }
    // What was under way may still be told, and the answer to it says the same.
    const late = await api.admin.patch(
      `/v1/runs/${run.id}/tool-calls/${run.callId}`,
      { result: 'came after all', status: 'succeeded' },
      holding(run.token),
    );
    expect([late.status, late.headers.get(CANCELLED)]).toEqual([200, 'true']);
  });

  it('A lease that was given with the creation begins with the start, and its holder starts the run', async () => {
    const run = await aRun(api.admin, { agent_id, lease_seconds: 60 });
    expect(run).toMatchObject({ status: 'pending', lease_expires_at: null });
    const held = { id: run.id as string, stepId: '', callId: '' };
    expectLost(await below('start', {})(api.admin, held, holding(randomUUID())), 'pending');
    const staged = await below('messages', { role: 'user' })(api.admin, held, holding(run.lease_token));
    expect([staged.status, staged.headers.get(EXPIRES)]).toEqual([201, null]);
    const started = await below('start', {})(api.admin, held, holding(run.lease_token));
    expect(started.body).toMatchObject({ status: 'running', lease_token: run.lease_token });
    expect(started.headers.get(EXPIRES)).toBe(started.body.lease_expires_at);
  });

  it('[Z9] A run whose lease has expired fails as any run fails, with what is open below it', async () => {
    const run = await aHeldRun();
    await left(run.id, -1);
    await roundsOf(api.database, leaseWatches());
    const { body } = await api.admin.get(`/v1/runs/${run.id}?include=steps,tool_calls`);
    expect(body).toMatchObject({
      ...{ status: 'failed', error_type: 'lease_expired', is_terminal: true, lease_expires_at: null },
      ...{ error: expect.stringContaining('expired'), totals: { failed_steps: 1, failed_tool_calls: 1 } },
      steps: { data: [{ status: 'failed', error_type: 'run_ended' }] },
      tool_calls: { data: [{ status: 'failed', error_type: 'run_ended' }] },
    });
    const events = await truth.events(run.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.map(({ type }) => type).slice(-3)).toEqual([
      'step.failed',
      'tool_call.completed',
      'run.failed',
    ]);
    expect(events.at(-1)?.data).toEqual({ error: body.error, error_type: 'lease_expired' });
    const beat = await api.admin.post(`/v1/runs/${run.id}/heartbeat`, { lease_token: run.token });
    expectLost(beat, 'failed');
  });

  it('[Z9] A run without a lease, one that waits for a person, and one whose holder is heard of are left alone', async () => {
    const members = { agent_id, lease_seconds: 600 };
    const [unheld, waiting, pending, slow] = [
      await aRunningRun(api.admin, { agent_id }),
      await aWaitingRun(api.admin, members),
      await aRun(api.admin, members),
      await aHeldRun(),
    ];
    for (const { id } of [waiting, pending]) await left(id, -3_600);
    await left(slow.id, 1);
    await api.admin.post(`/v1/runs/${slow.id}/heartbeat`, { lease_token: slow.token });
    await roundsOf(api.database, leaseWatches(2));
    const statuses = await Promise.all(
      [unheld, waiting, pending, slow].map(
        async ({ id }) => (await api.admin.get(`/v1/runs/${id}`)).body.status,
      ),
    );
    expect(statuses).toEqual(['running', 'waiting_human', 'pending', 'running']);
  });

  it('[Z9] A run that waited longer than its lease goes on with a whole one', async () => {
    const run = await aRunningRun(api.admin, { agent_id, lease_seconds: 600 });
    await api.admin.post(`/v1/runs/${run.id}/wait`, {}, holding(run.lease_token));
    await left(run.id, -3_600);
    await api.admin.post(`/v1/runs/${run.id}/resume`);
    await roundsOf(api.database, leaseWatches());
    const step = await api.admin.post(`/v1/runs/${run.id}/steps`, { node: 'on' }, holding(run.lease_token));
    expect(step.status).toBe(201);
  });
});
