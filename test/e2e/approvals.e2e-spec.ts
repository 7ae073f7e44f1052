import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { openStream } from '../support/streams.js';
import * as things from '../support/things.js';

let api: TestApi;
let admin: Client;
beforeAll(async () => {
  api = await anApi();
  admin = api.admin;
});
afterAll(() => api.close());

type Members = Record<string, unknown>;
type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

/** A run that waits for these, with the approvals as they were opened, in order. */
async function aRunThatAsks(
  asked: Members[],
  members: Members = {},
): Promise<{ run: Thing; approvals: Thing[] }> {
  const { id } = await things.aRunningRun(admin, members);
  const answer = await admin.post(`/v1/runs/${id}/wait`, { approvals: asked });
  expect(answer.status).toBe(200);
  return { run: answer.body, approvals: await opened(answer.body) };
}

async function opened(run: Thing): Promise<Thing[]> {
  const ids = run.waiting_for.approvals.map(({ id }: Thing) => id as string);
  return Promise.all(ids.map(async (id: string) => (await admin.get(`/v1/approvals/${id}`)).body));
}

const decide = (id: string, body: Members, client: Client = admin) =>
  client.post(`/v1/approvals/${id}/decide`, body);
const runOf = async (id: string): Promise<Thing> => (await admin.get(`/v1/runs/${id}`)).body;
const inbox = async (query: string, client: Client = admin): Promise<Thing[]> => {
  const answer = await client.get(`/v1/approvals?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

/** The log of a run so far, from its stream. */
async function logOf(runId: string, count: number): Promise<Thing[]> {
  const stream = await openStream(api, `/v1/runs/${runId}/events`, api.adminKey);
  const events = (await stream.take(count)).map(({ data }) => data);
  stream.close();
  return events;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a run that waits for approvals', () => {
  it('asks each by itself, in one transaction with the move, and tells the asker what to wait for', async () => {
    const { id } = await things.aRunningRun(admin);
    const step = await things.aStep(admin, id);
    const call = await things.aToolCall(admin, id, { step_id: step.id, arguments: { b: 1, a: 1.0 } });
    const due_at = '2099-01-01T00:00:00.000001Z';
    const waiting = await admin.post(`/v1/runs/${id}/wait`, {
      question: 'May I?',
      approvals: [
        { kind: 'tool', tool_call_id: call.id, payload: { for: 'people' } },
        { kind: 'gate', step_id: step.id, payload: [1], assignee: 'ops', due_at, on_due: 'reject' },
        { kind: 'question', schema: { type: 'string' }, allowed: ['respond'] },
      ],
    });
    expect([waiting.status, waiting.body.status]).toEqual([200, 'waiting_human']);
    const approvals = await opened(waiting.body);
    expect(waiting.body.waiting_for).toEqual({
      question: 'May I?',
      approvals: approvals.map(({ id: approval, kind, tool_call_id }) => ({
        id: approval,
        kind,
        tool_call_id,
      })),
    });
    const { project_id, agent_id } = waiting.body;
    const pending = { run_id: id, project_id, agent_id, status: 'pending', answer: null, reason: null };
    const nobody = { decided_by: null, decided_at: null };
    expect(approvals).toMatchObject([
      {
        ...{ ...pending, ...nobody, kind: 'tool', step_id: step.id, tool_call_id: call.id },
        ...{ allowed: ['approve', 'edit', 'reject'], payload: { for: 'people' }, schema: null },
        ...{ arguments_hash: sha256('{"a":1,"b":1}'), due_at: null, on_due: null },
      },
      {
        ...{ ...pending, ...nobody, kind: 'gate', step_id: step.id, tool_call_id: null, assignee: 'ops' },
        ...{ allowed: ['approve', 'reject'], arguments_hash: sha256('[1]'), due_at, on_due: 'reject' },
      },
      {
        ...{ ...pending, ...nobody, kind: 'question', step_id: null, tool_call_id: null, assignee: null },
        ...{ allowed: ['respond'], schema: { type: 'string' }, arguments_hash: null },
      },
    ]);
    const events = await logOf(id, 8);
    expect(events.map(({ type }) => type)).toEqual([
      ...['run.created', 'run.started', 'step.started', 'tool_call.started'],
      ...['approval.requested', 'approval.requested', 'approval.requested', 'run.waiting_human'],
    ]);
    expect(events.slice(4, 7)).toMatchObject(
      approvals.map(({ id: approval_id, kind, tool_call_id }) => ({
        entity_id: approval_id,
        data: { approval_id, kind, tool_call_id },
      })),
    );
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('asks one question when none is named, which resuming answers', async () => {
    const { id } = await things.aRunningRun(admin);
    const waiting = await admin.post(`/v1/runs/${id}/wait`, { question: 'May I?', payload: { a: 1 } });
    expect(waiting.body.waiting_for).toEqual({ question: 'May I?', payload: { a: 1 } });
    const [question] = await inbox(`run_id=${id}`);
    expect(question).toMatchObject({ kind: 'question', status: 'pending', allowed: ['respond'] });
    const { body } = await admin.get(`/v1/approvals/${question.id}`);
    expect(body.payload).toEqual({ question: 'May I?', payload: { a: 1 } });
    const resumed = await admin.post(`/v1/runs/${id}/resume`, { input: { yes: true } });
    expect(resumed.body).toMatchObject({ status: 'running', resume_input: { yes: true } });
    const answered = (await admin.get(`/v1/approvals/${question.id}`)).body;
    const me = (await admin.get('/v1/me')).body.key.id;
    expect(answered).toMatchObject({ status: 'responded', answer: { yes: true }, decided_by: me });
    const types = (await logOf(id, 6)).map(({ type }) => type);
    const [requested, resolved] = ['approval.requested', 'approval.resolved'];
    expect(types.slice(2)).toEqual([requested, 'run.waiting_human', resolved, 'run.resumed']);
    expect((await admin.post(`/v1/runs/${id}/resume`, { input: { yes: true } })).status).toBe(200);
    expect((await runOf(id)).status).toBe('running');
  });

  it('takes the answer to its one question from the inbox, too, and goes on with just that', async () => {
    const run = await things.aWaitingRun(admin);
    const [question] = await inbox(`run_id=${run.id}`);
    expect((await decide(question.id, { decision: 'respond', answer: 'yes' })).status).toBe(200);
    expect(await runOf(run.id)).toMatchObject({
      status: 'running',
      resume_input: 'yes',
    });
  });

  it('waits once: the same wait again asks nothing new, another one is refused', async () => {
    const asked = [{ kind: 'gate', payload: { a: 1, b: [1.0] }, allowed: ['approve'] }, { kind: 'question' }];
    const { run, approvals } = await aRunThatAsks(asked);
    await decide(approvals[0].id, { decision: 'approve' });
    const again = [{ allowed: ['approve'], payload: { b: [1], a: 1 }, kind: 'gate' }, { kind: 'question' }];
    const repeated = await admin.post(`/v1/runs/${run.id}/wait`, { approvals: again });
    expect([repeated.status, repeated.body.waiting_for]).toEqual([200, run.waiting_for]);
    expect(await inbox(`run_id=${run.id}`)).toHaveLength(2);
    const others = [
      {},
      { approvals: [asked[0]] },
      { approvals: [asked[1], asked[0]] },
      { approvals: [{ ...asked[0], payload: 2 }, asked[1]] },
      { question: 'May I?', approvals: asked },
    ];
    for (const body of others) {
      const refused = await admin.post(`/v1/runs/${run.id}/wait`, body);
      expect([body, refused.status, refused.body.code]).toEqual([body, 409, 'run.transition_refused']);
    }
    expect(await inbox(`run_id=${run.id}`)).toHaveLength(2);
  });

  it('waits again later, and goes on with what was decided this time', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    await decide(approvals[0].id, { decision: 'approve' });
    const second = await admin.post(`/v1/runs/${run.id}/wait`, { approvals: [{ kind: 'gate' }] });
    const [asked] = await opened(second.body);
    await decide(asked.id, { decision: 'reject', reason: 'enough' });
    const { resume_input } = await runOf(run.id);
    expect(resume_input.approvals).toMatchObject([{ id: asked.id, status: 'rejected', reason: 'enough' }]);
  });
});

describe('deciding', () => {
  it('resumes the run with the last decision, and hands all of them over in the order in which they were asked', async () => {
    const { run, approvals } = await aRunThatAsks([
      { kind: 'tool', payload: { to: 'LIS' } },
      { kind: 'question' },
      { kind: 'gate' },
    ]);
    const [tool, question, gate] = approvals;
    expect((await decide(gate.id, { decision: 'approve' })).body).toMatchObject({ status: 'approved' });
    expect(
      (await decide(question.id, { decision: 'respond', answer: 12345678901234567890n.toString() })).status,
    ).toBe(200);
    expect((await runOf(run.id)).status).toBe('waiting_human');
    const edited = await admin.post(
      `/v1/approvals/${tool.id}/decide`,
      '{"decision": "edit", "answer": {"to": 12345678901234567890}, "reason": "closer"}',
    );
    expect(edited.status).toBe(200);
    expect(edited.text).toContain('"answer":{"to": 12345678901234567890}');
    const resumed = await admin.get(`/v1/runs/${run.id}`);
    expect(resumed.body.status).toBe('running');
    expect(resumed.text).toContain('{"to": 12345678901234567890}');
    const none = { answer: null, reason: null, step_id: null, tool_call_id: null };
    expect(resumed.body.resume_input.approvals).toEqual([
      { ...none, id: tool.id, kind: 'tool', status: 'edited', answer: expect.anything(), reason: 'closer' },
      { ...none, id: question.id, kind: 'question', status: 'responded', answer: '12345678901234567890' },
      { ...none, id: gate.id, kind: 'gate', status: 'approved' },
    ]);
    const events = await logOf(run.id, 10);
    expect(events.slice(6).map(({ type, data }) => [type, data?.status])).toEqual([
      ['approval.resolved', 'approved'],
      ['approval.resolved', 'responded'],
      ['approval.resolved', 'edited'],
      ['run.resumed', undefined],
    ]);
  });

  it('counts once: the same decision again is a success without an event, another one is told what was decided', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }, { kind: 'gate' }]);
    const [{ id }] = approvals;
    const first = await decide(id, { decision: 'approve', reason: 'fine' });
    const again = await decide(id, { decision: 'approve', reason: 'fine' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    for (const other of [
      { decision: 'reject' },
      { decision: 'approve' },
      { decision: 'approve', reason: 'no' },
    ]) {
      const refused = await decide(id, other);
      const { decided_by, decided_at } = first.body;
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'approval.decided', current_state: 'approved', decided_by, decided_at, reason: 'fine' },
      ]);
    }
    await decide(approvals[1].id, { decision: 'approve' });
    expect((await decide(id, { decision: 'approve', reason: 'fine' })).status).toBe(200);
    const types = (await logOf(run.id, 8)).map(({ type }) => type);
    expect(types.filter((type) => type === 'approval.resolved')).toHaveLength(2);
    expect(types.at(-1)).toBe('run.resumed');
  });

  it('is about what was looked at: another hash is refused', async () => {
    const { approvals } = await aRunThatAsks([{ kind: 'gate', payload: { a: 1 } }, { kind: 'gate' }]);
    const [withPayload, without] = approvals;
    const stale = await decide(withPayload.id, { decision: 'approve', arguments_hash: sha256('{"a":2}') });
    expect([stale.status, stale.body.code, stale.body.arguments_hash]).toEqual([
      409,
      'approval.stale',
      sha256('{"a":1}'),
    ]);
    const nothing = await decide(without.id, { decision: 'approve', arguments_hash: sha256('{"a":1}') });
    expect([nothing.status, nothing.body.code]).toEqual([409, 'approval.stale']);
    const good = await decide(withPayload.id, { decision: 'approve', arguments_hash: sha256('{"a":1}') });
    expect(good.body.status).toBe('approved');
  });

  it('refuses what was not offered, and answers that the schema does not let through, by pointer', async () => {
    const schema = { type: 'object', properties: { n: { items: { type: 'integer' } } }, required: ['n'] };
    const { approvals } = await aRunThatAsks([
      { kind: 'tool', schema, allowed: ['edit', 'approve'] },
      { kind: 'question', schema: { pattern: '^(a+)+$' } },
    ]);
    const [tool, hostile] = approvals;
    const refusals: [string, Members, string][] = [
      [tool.id, { decision: 'reject' }, '/decision'],
      [tool.id, { decision: 'respond', answer: { n: [] } }, '/decision'],
      [tool.id, { decision: 'edit' }, '/answer'],
      [tool.id, { decision: 'approve', answer: 1 }, '/answer'],
      [tool.id, { decision: 'edit', answer: {} }, '/answer'],
      [tool.id, { decision: 'edit', answer: { n: [1, 'x'] } }, '/answer/n/1'],
      [hostile.id, { decision: 'respond', answer: `${'a'.repeat(50)}b` }, '/answer'],
    ];
    for (const [id, body, pointer] of refusals) {
      const refused = await decide(id, body);
      const { code, errors } = refused.body;
      expect([body, refused.status, code, errors?.[0]?.pointer]).toEqual([
        body,
        400,
        'invalid_request',
        pointer,
      ]);
    }
    expect((await decide(tool.id, { decision: 'edit', answer: { n: [1] } })).body.answer).toEqual({ n: [1] });
  });

  it('[S2] answers that are slow to check, many at once, hold nothing: each is refused, and the run can be called off', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'question', schema: { pattern: '^(a+)+$' } }]);
    const slow = { decision: 'respond', answer: `${'a'.repeat(50)}b` };
    const refused = await Promise.all(Array.from({ length: 16 }, () => decide(approvals[0].id, slow)));
    expect(refused.map(({ status }) => status)).toEqual(Array(16).fill(400));
    const [late, cancelled] = await Promise.all([
      decide(approvals[0].id, slow),
      admin.post(`/v1/runs/${run.id}/cancel`),
    ]);
    expect([late.body.code, cancelled.status]).toEqual(['approval.decided', 200]);
  });

  it('is for those who may control runs, and for what they see', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    const [{ id }] = approvals;
    const keyOf = async (members: Members): Promise<Client> =>
      api.as((await things.aKey(admin, members)).key);
    const reporter = await keyOf({ scope: 'agent', agent_id: run.agent_id, role: 'reporter' });
    expect((await reporter.get(`/v1/approvals/${id}`)).status).toBe(200);
    expect((await decide(id, { decision: 'approve' }, reporter)).status).toBe(403);
    const project_id = (await things.aProject(admin)).id;
    const stranger = await keyOf({ scope: 'project', project_id });
    expect((await stranger.get(`/v1/approvals/${id}`)).status).toBe(404);
    expect((await stranger.get(`/v1/runs/${run.id}/approvals/${id}`)).status).toBe(404);
    expect((await decide(id, { decision: 'approve' }, stranger)).status).toBe(404);
    expect(await inbox('status=pending', stranger)).toEqual([]);
    const operator = await keyOf({ scope: 'agent', agent_id: run.agent_id, role: 'operator' });
    expect((await decide(id, { decision: 'approve' }, operator)).status).toBe(200);
  });

  it('is refused for bodies that are not of its form', async () => {
    const { approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    const bad: [unknown, string][] = [
      [{}, '/decision'],
      [{ decision: 'maybe' }, '/decision'],
      [{ decision: ['approve'] }, '/decision'],
      [{ decision: 'approve', arguments_hash: 'x' }, '/arguments_hash'],
      [{ decision: 'approve', reason: 1 }, '/reason'],
      [{ decision: 'approve', reason: 'x'.repeat(16_385) }, '/reason'],
      [{ decision: 'approve', status: 'approved' }, '/status'],
    ];
    for (const [body, pointer] of bad) {
      const refused = await admin.post(`/v1/approvals/${approvals[0].id}/decide`, body);
      expect([body, refused.status, refused.body.errors?.[0]?.pointer]).toEqual([body, 400, pointer]);
    }
    expect((await decide(randomUUID(), { decision: 'approve' })).status).toBe(404);
    expect((await decide('x', { decision: 'approve' })).status).toBe(404);
  });
});

describe('resuming and ending', () => {
  it('a run is not resumed past approvals that are open', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }, { kind: 'gate' }]);
    await decide(approvals[0].id, { decision: 'approve' });
    const refused = await admin.post(`/v1/runs/${run.id}/resume`, { input: 1 });
    expect([refused.status, refused.body.code, refused.body.open]).toEqual([
      409,
      'run.approvals_open',
      [approvals[1].id],
    ]);
    expect((await runOf(run.id)).status).toBe('waiting_human');
  });

  it('a run that is cancelled takes its open approvals along, and the end is its last event', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }, { kind: 'gate' }, { kind: 'gate' }]);
    await decide(approvals[1].id, { decision: 'approve' });
    await things.aStep(admin, run.id);
    expect((await admin.post(`/v1/runs/${run.id}/cancel`, { reason: 'no' })).status).toBe(200);
    const after = await Promise.all(approvals.map(({ id }) => admin.get(`/v1/approvals/${id}`)));
    expect(after.map(({ body }) => body.status)).toEqual(['cancelled', 'approved', 'cancelled']);
    const stream = await openStream(api, `/v1/runs/${run.id}/events`, api.adminKey);
    const events = (await stream.rest()).map(({ data }) => data as Thing);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
    expect(events.slice(-4).map(({ type }) => type)).toEqual([
      'approval.resolved',
      'approval.resolved',
      'step.completed',
      'run.cancelled',
    ]);
    const late = await decide(approvals[0].id, { decision: 'approve' });
    expect([late.status, late.body.code, late.body.current_state]).toEqual([
      409,
      'approval.decided',
      'cancelled',
    ]);
  });

  it.each([
    ['gone on', { type: 'run.moved', status: 'running' }, 'run.resumed'],
    ['ended', { type: 'run.finished', status: 'succeeded' }, 'run.succeeded'],
  ])('a run that is reported to have %s takes its open approvals along, too', async (_what, said, event) => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    const at = new Date(Date.now() + 1_000).toISOString();
    await admin.post('/v1/ingest', [{ ...said, run_id: run.id, at }]);
    expect((await runOf(run.id)).status).not.toBe('waiting_human');
    expect((await admin.get(`/v1/approvals/${approvals[0].id}`)).body.status).toBe('cancelled');
    const events = await logOf(run.id, 6);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['approval.resolved', event]);
  });

  it('a run that is deleted takes its approvals along', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    expect((await admin.delete(`/v1/runs/${run.id}?force=true`)).status).toBe(204);
    expect((await admin.get(`/v1/approvals/${approvals[0].id}`)).status).toBe(404);
    expect((await decide(approvals[0].id, { decision: 'approve' })).status).toBe(404);
    expect(await inbox(`run_id=${run.id}`)).toEqual([]);
  });

  it('a run tells how long it has waited for people, apart from its work', async () => {
    const { run, approvals } = await aRunThatAsks([{ kind: 'gate' }]);
    expect(run).toMatchObject({ waited_ms: 0, waiting_since: expect.any(String) });
    expect(run.waiting_since).toBe(approvals[0].created_at);
    const { body } = await decide(approvals[0].id, { decision: 'approve' });
    const went = await runOf(run.id);
    const waited = Math.floor(Date.parse(body.decided_at) - Date.parse(run.waiting_since));
    expect(went.waiting_since).toBeNull();
    expect(Math.abs(went.waited_ms - waited)).toBeLessThanOrEqual(1);
    await admin.post(`/v1/runs/${run.id}/wait`, {});
    await admin.post(`/v1/runs/${run.id}/cancel`, {});
    const ended = await runOf(run.id);
    expect(ended.waiting_since).toBeNull();
    expect(ended.waited_ms).toBeGreaterThanOrEqual(went.waited_ms);
  });
});
