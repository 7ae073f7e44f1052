import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
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

async function asking(asked: Members[], members: Members = {}): Promise<Thing> {
  const { id } = await things.aRunningRun(admin, members);
  const answer = await admin.post(`/v1/runs/${id}/wait`, { approvals: asked });
  expect(answer.status).toBe(200);
  return answer.body;
}
const idsOf = (run: Thing): string[] => run.waiting_for.approvals.map(({ id }: Thing) => id as string);
const decide = (id: string, body: Members) => admin.post(`/v1/approvals/${id}/decide`, body);

describe('the inbox', () => {
  it('shows what waits, newest first, page by page without repeat or gap, and without what may be large', async () => {
    const { agent_id } = await asking(Array(3).fill({ kind: 'gate', payload: 'large' }));
    await asking(Array(4).fill({ kind: 'question' }), { agent_id });
    const all = await everyRow(admin, `/v1/approvals?agent_id=${agent_id}`, 2);
    expect(all).toHaveLength(7);
    const keys = all.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(new Set(keys).size).toBe(7);
    for (const row of all)
      for (const large of ['payload', 'schema', 'answer']) expect(row).not.toHaveProperty(large);
  });

  it('is filtered by status, run, agent, project, assignee and kind, and by all of them at once', async () => {
    const run = await asking([
      { kind: 'gate', assignee: 'ops' },
      { kind: 'gate', assignee: 'finance' },
      { kind: 'question', assignee: 'ops' },
    ]);
    const [gate, other, question] = idsOf(run) as [string, string, string];
    await asking([{ kind: 'gate', assignee: 'ops' }]);
    await decide(other, { decision: 'reject' });
    const shown = async (query: string): Promise<string[]> =>
      (await everyRow(admin, `/v1/approvals?${query}`, 200)).map(({ id }) => id as string).sort();
    const ofRun = `run_id=${run.id}`;
    expect(await shown(ofRun)).toEqual([gate, other, question].sort());
    expect(await shown(`agent_id=${run.agent_id}`)).toEqual([gate, other, question].sort());
    expect(await shown(`project_id=${run.project_id}`)).toEqual([gate, other, question].sort());
    expect(await shown(`${ofRun}&status=pending`)).toEqual([gate, question].sort());
    expect(await shown(`${ofRun}&status=rejected,approved`)).toEqual([other]);
    expect(await shown(`${ofRun}&kind=question`)).toEqual([question]);
    expect(await shown(`${ofRun}&assignee=ops`)).toEqual([gate, question].sort());
    const { agent_id, project_id } = run;
    const every = `${ofRun}&agent_id=${agent_id}&project_id=${project_id}&assignee=ops&kind=gate&status=pending`;
    expect(await shown(every)).toEqual([gate]);
    expect(await shown(`run_id=${randomUUID()}`)).toEqual([]);
  });

  it('is that of the scope of the key', async () => {
    const mine = await asking([{ kind: 'gate' }]);
    const sibling = await asking([{ kind: 'gate' }], {
      agent_id: (await things.anAgent(admin, { project_id: mine.project_id })).id,
    });
    const keys = await Promise.all([
      things.aKey(admin, { scope: 'agent', agent_id: mine.agent_id, role: 'viewer' }),
      things.aKey(admin, { scope: 'project', project_id: mine.project_id, role: 'viewer' }),
    ]);
    const [ofAgent, ofProject] = await Promise.all(
      keys.map(async ({ key }) =>
        (await everyRow(api.as(key), '/v1/approvals?status=pending', 200)).map(({ id }) => id),
      ),
    );
    expect(ofAgent).toEqual(idsOf(mine));
    expect(ofProject).toEqual([...idsOf(sibling), ...idsOf(mine)]);
    const { api_key } = await things.anOrganization(api.root);
    expect(await everyRow(api.as(api_key.key), '/v1/approvals', 200)).toEqual([]);
  });

  it('refuses parameters that it does not know or cannot read', async () => {
    for (const query of ['status=open', 'kind=x', 'run_id=1', 'assignee=', 'who=me', 'kind=gate&kind=tool']) {
      const refused = await admin.get(`/v1/approvals?${query}`);
      expect([query, refused.status, refused.body.code]).toEqual([query, 400, 'invalid_request']);
    }
  });
});

describe('opening approvals', () => {
  const open = async (approvals: unknown) => {
    const { id } = await things.aRunningRun(admin);
    const answer = await admin.post(`/v1/runs/${id}/wait`, { approvals });
    if (answer.status !== 200) {
      expect((await admin.get(`/v1/runs/${id}`)).body.status).toBe('running');
      expect((await admin.get(`/v1/approvals?run_id=${id}`)).body.data).toEqual([]);
    }
    return answer;
  };
  const gate = { kind: 'gate' };

  it.each([
    [[], '/approvals'],
    ['gate', '/approvals'],
    [gate, '/approvals'],
    [[gate, 'gate'], '/approvals'],
    [[gate, null], '/approvals'],
    [[[gate]], '/approvals'],
    [Array(101).fill(gate), '/approvals'],
    [[gate, {}], '/approvals/1/kind'],
    [[{ kind: 'other' }], '/approvals/0/kind'],
    [[{ ...gate, status: 'approved' }], '/approvals/0/status'],
    [[{ ...gate, tool_call_id: 'x' }], '/approvals/0/tool_call_id'],
    [[{ ...gate, step_id: 5 }], '/approvals/0/step_id'],
    [[{ ...gate, allowed: [] }], '/approvals/0/allowed'],
    [[{ ...gate, allowed: 'approve' }], '/approvals/0/allowed'],
    [[{ ...gate, allowed: ['approve', 'maybe'] }], '/approvals/0/allowed'],
    [[{ ...gate, assignee: '' }], '/approvals/0/assignee'],
    [[{ ...gate, due_at: 'tomorrow' }], '/approvals/0/due_at'],
    [[gate, { ...gate, on_due: 'reject' }], '/approvals/1/on_due'],
    [[{ ...gate, due_at: '2099-01-01T00:00:00Z', on_due: 'approve' }], '/approvals/0/on_due'],
    [[{ ...gate, schema: 'string' }], '/approvals/0/schema'],
    [[{ ...gate, schema: { type: 'text' } }], '/approvals/0/schema'],
    [[gate, { ...gate, schema: { $ref: 'https://example.com' } }], '/approvals/1/schema'],
    [[{ ...gate, schema: { title: 'x'.repeat(16_384) } }], '/approvals/0/schema'],
  ])('refuses %j at %s, and the run goes on', async (approvals, pointer) => {
    const refused = await open(approvals);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.errors.map((fault: Thing) => fault.pointer)).toContain(pointer);
  });

  it('tells every fault of every approval at once', async () => {
    const refused = await open([{ kind: 1 }, { kind: 'gate', allowed: 1, other: 1 }]);
    const pointers = refused.body.errors.map(({ pointer }: Thing) => pointer as string).sort();
    expect(pointers).toEqual(['/approvals/0/kind', '/approvals/1/allowed', '/approvals/1/other']);
  });

  it('refuses tool calls and steps of other runs, of other tenants and of nobody, and the run goes on', async () => {
    const other = await things.aRunningRun(admin);
    const { api_key } = await things.anOrganization(api.root);
    const foreign = api.as(api_key.key);
    const elsewhere = await things.aRunningRun(foreign);
    const loose = await admin.post(`/v1/agents/${other.agent_id}/tool-calls`, { name: 'search' });
    const foreigners = [
      { tool_call_id: (await things.aToolCall(admin, other.id)).id },
      { tool_call_id: (await things.aToolCall(foreign, elsewhere.id)).id },
      { tool_call_id: loose.body.id },
      { tool_call_id: randomUUID() },
      { step_id: (await things.aStep(admin, other.id)).id },
      { step_id: (await things.aStep(foreign, elsewhere.id)).id },
      { step_id: randomUUID() },
    ];
    for (const subject of foreigners) {
      const refused = await open([gate, { kind: 'tool', ...subject }]);
      expect([subject, refused.status, refused.body.code]).toEqual([subject, 404, 'not_found']);
    }
  });

  it('refuses a run that does not run', async () => {
    for (const make of [things.aRun, things.aFinishedRun, things.aWaitingRun]) {
      const { id } = await make(admin);
      const refused = await admin.post(`/v1/runs/${id}/wait`, { approvals: [gate] });
      expect([refused.status, refused.body.code]).toEqual([409, 'run.transition_refused']);
    }
    expect((await admin.post(`/v1/runs/${randomUUID()}/wait`, { approvals: [gate] })).status).toBe(404);
  });

  it('is done once for one Idempotency-Key', async () => {
    const { id } = await things.aRunningRun(admin);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await admin.post(`/v1/runs/${id}/wait`, { approvals: [gate] }, headers);
    const again = await admin.post(`/v1/runs/${id}/wait`, { approvals: [gate] }, headers);
    expect(again.body).toEqual(first.body);
    expect((await admin.get(`/v1/approvals?run_id=${id}`)).body.data).toHaveLength(1);
    const key = { 'idempotency-key': randomUUID() };
    const [approval] = idsOf(first.body);
    const decided = await admin.post(`/v1/approvals/${approval}/decide`, { decision: 'approve' }, key);
    const repeated = await admin.post(`/v1/approvals/${approval}/decide`, { decision: 'approve' }, key);
    expect([repeated.status, repeated.body]).toEqual([200, decided.body]);
    expect((await admin.get(`/v1/runs/${id}`)).body.status).toBe('running');
  });
});

describe('waiting for a decision', () => {
  it('ends with the decision', async () => {
    const run = await asking([{ kind: 'gate' }]);
    const [id] = idsOf(run) as [string];
    const path = `/v1/runs/${run.id}/approvals/${id}`;
    const waiting = admin.get(`${path}?wait=55`);
    expect((await admin.get(path)).body.status).toBe('pending');
    await decide(id, { decision: 'approve' });
    expect((await waiting).body).toMatchObject({ id, status: 'approved' });
    expect((await admin.get(`${path}?wait=55`)).body.status).toBe('approved');
  });

  it('ends with the time, and the approval is pending still', async () => {
    const run = await asking([{ kind: 'gate' }]);
    const answer = await admin.get(`/v1/runs/${run.id}/approvals/${idsOf(run)[0]}?wait=1`);
    expect([answer.status, answer.body.status]).toEqual([200, 'pending']);
  });

  it('ends with the run', async () => {
    const run = await asking([{ kind: 'gate' }]);
    const path = `/v1/runs/${run.id}/approvals/${idsOf(run)[0]}`;
    const waiting = admin.get(`${path}?wait=55`);
    await admin.post(`/v1/runs/${run.id}/cancel`, {});
    expect((await waiting).body.status).toBe('cancelled');
  });

  it('tells nothing to a key that was revoked meanwhile', async () => {
    const run = await asking([{ kind: 'gate' }]);
    const path = `/v1/runs/${run.id}/approvals/${idsOf(run)[0]}`;
    const key = await things.aKey(admin, { scope: 'organization', role: 'viewer' });
    expect((await api.as(key.key).get(path)).status).toBe(200);
    const waiting = api.as(key.key).get(`${path}?wait=3`);
    await admin.delete(`/v1/api-keys/${key.id}`);
    expect((await waiting).status).toBe(401);
  });

  it('is refused for the approval of another run, for none, and for longer than it may be', async () => {
    const run = await asking([{ kind: 'gate' }]);
    const other = await asking([{ kind: 'gate' }]);
    const at = `/v1/runs/${run.id}/approvals`;
    for (const id of [idsOf(other)[0], randomUUID(), 'x'])
      expect((await admin.get(`${at}/${id}?wait=1`)).status).toBe(404);
    for (const wait of ['-1', '56', 'x', '1.5', '']) {
      const refused = await admin.get(`${at}/${idsOf(run)[0]}?wait=${wait}`);
      expect([wait, refused.status, refused.body.errors?.[0]?.pointer]).toEqual([wait, 400, '?wait']);
    }
  });
});
