import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { openStream } from '../support/streams.js';
import * as things from '../support/things.js';
import { approvalWatches, roundsOf } from '../support/workers.js';

let api: TestApi;
let admin: Client;
beforeAll(async () => {
  api = await anApi();
  admin = api.admin;
});
afterAll(() => api.close());

type Members = Record<string, unknown>;
type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

const PAST = '2020-01-01T00:00:00Z';
const FUTURE = '2099-01-01T00:00:00Z';

async function asking(asked: Members[]): Promise<{ run: Thing; ids: string[] }> {
  const { id } = await things.aRunningRun(admin);
  const { body } = await admin.post(`/v1/runs/${id}/wait`, { approvals: asked });
  return { run: body, ids: body.waiting_for.approvals.map((one: Thing) => one.id as string) };
}
const shown = async (ids: string[]): Promise<Thing[]> =>
  Promise.all(ids.map(async (id) => (await admin.get(`/v1/approvals/${id}`)).body));
const runOf = async ({ run }: { run: Thing }): Promise<Thing> => (await admin.get(`/v1/runs/${run.id}`)).body;
const look = async (): Promise<number> => {
  const rounds = await roundsOf(api.database, approvalWatches(2));
  return rounds.reduce((sum, { approvals }) => sum + approvals, 0);
};

async function events(run: Thing, count: number): Promise<Thing[]> {
  const stream = await openStream(api, `/v1/runs/${run.id}/events`, api.adminKey);
  const taken = await stream.take(count);
  stream.close();
  return taken.map(({ data }) => data);
}

describe('an approval that nobody decides in time', () => {
  it('cancels its run, with what else that waits for', async () => {
    const asked = await asking([
      { kind: 'gate' },
      { kind: 'gate', due_at: PAST },
      { kind: 'gate', due_at: FUTURE },
    ]);
    expect(await look()).toBe(1);
    expect(await runOf(asked)).toMatchObject({ status: 'cancelled', error: 'Nobody decided in time.' });
    const [first, due, later] = await shown(asked.ids);
    expect(due).toMatchObject({
      status: 'expired',
      on_due: 'cancel',
      decided_by: null,
      reason: 'Nobody decided in time.',
    });
    expect([first.status, later.status]).toEqual(['cancelled', 'cancelled']);
    const log = await events(asked.run, 10);
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(log.slice(6).map(({ type, entity_id }) => [type, entity_id])).toEqual([
      ['approval.resolved', asked.ids[1]],
      ['approval.resolved', asked.ids[0]],
      ['approval.resolved', asked.ids[2]],
      ['run.cancelled', asked.run.id],
    ]);
  });

  it('counts as rejected by nobody when its request says so, and the run goes on when it was the last', async () => {
    const due = { kind: 'gate', due_at: PAST, on_due: 'reject' };
    const asked = await asking([due, { kind: 'question' }, due]);
    expect(await look()).toBe(2);
    expect((await shown(asked.ids)).map(({ status }) => status)).toEqual(['rejected', 'pending', 'rejected']);
    expect((await runOf(asked)).status).toBe('waiting_human');
    await admin.post(`/v1/approvals/${asked.ids[1]}/decide`, { decision: 'respond', answer: 1 });
    const run = await runOf(asked);
    expect(run.status).toBe('running');
    expect(run.resume_input.approvals.map(({ status, reason }: Thing) => [status, reason])).toEqual([
      ['rejected', 'Nobody decided in time.'],
      ['responded', null],
      ['rejected', 'Nobody decided in time.'],
    ]);
    const last = await asking([due]);
    expect(await look()).toBe(1);
    expect((await runOf(last)).status).toBe('running');
    expect((await events(last.run, 6)).slice(-2).map(({ type }) => type)).toEqual([
      'approval.resolved',
      'run.resumed',
    ]);
  });

  it('is told to whoever decides later', async () => {
    const asked = await asking([{ kind: 'gate', due_at: PAST, on_due: 'reject' }]);
    await look();
    for (const decision of ['reject', 'approve']) {
      const late = await admin.post(`/v1/approvals/${asked.ids[0]}/decide`, { decision });
      expect([late.status, late.body.code, late.body.current_state]).toEqual([
        409,
        'approval.decided',
        'rejected',
      ]);
      expect(late.body).not.toHaveProperty('decided_by');
    }
  });

  it('leaves what is not due and what is decided as it is', async () => {
    const later = await asking([{ kind: 'gate', due_at: FUTURE }]);
    const decided = await asking([{ kind: 'gate', due_at: PAST }]);
    await admin.post(`/v1/approvals/${decided.ids[0]}/decide`, { decision: 'approve' });
    expect(await look()).toBe(0);
    expect((await runOf(later)).status).toBe('waiting_human');
    expect((await runOf(decided)).status).toBe('running');
  });

  it('wakes who waits for it', async () => {
    const asked = await asking([{ kind: 'gate', due_at: PAST, on_due: 'reject' }]);
    const waiting = admin.get(`/v1/runs/${asked.run.id}/approvals/${asked.ids[0]}?wait=55`);
    await look();
    expect((await waiting).body.status).toBe('rejected');
  });
});
