import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import { atOnce } from '../support/race.js';
import {
  aCheckpoint,
  aFinishedRun,
  aKey,
  aRunningRun,
  aStep,
  aToolCall,
  aWaitingRun,
  aProject,
  anAgent,
  anOrganization,
} from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { bulkActionRunners, roundsOf } from '../support/workers.js';

describe('bulk actions', () => {
  let api: TestApi;
  let admin: Client;
  let truth: Truth;
  beforeAll(async () => {
    api = await anApi();
    admin = api.admin;
    truth = theTruth(api.database);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const ask = (body: object, client = admin): Promise<Answer> => client.post('/v1/bulk-actions', body);

  /** Asks for it, lets it be done, and shows what it came to. */
  async function done(body: object, client = admin): Promise<Answer['body']> {
    const asked = await ask(body, client);
    expect([asked.status, asked.text]).toEqual([202, asked.text]);
    await roundsOf(api.database, bulkActionRunners());
    return (await client.get(`/v1/bulk-actions/${asked.body.id}`)).body;
  }

  const statusOf = async (id: string): Promise<string> => (await admin.get(`/v1/runs/${id}`)).body.status;
  const statusesOf = (ids: string[]): Promise<string[]> => Promise.all(ids.map(statusOf));
  const idsOf = (runs: { id: string }[]): string[] => runs.map(({ id }) => id);
  const some = async (count: number, make: () => Promise<{ id: string }>): Promise<string[]> =>
    idsOf(await atOnce(count, make));

  it('Cancels what a filter chooses, with all that is open below it and as the key that asked, and nothing else', async () => {
    const { id: agent_id } = await anAgent(admin);
    const running = await some(3, () => aRunningRun(admin, { agent_id, tags: ['x'] }));
    const waiting = await some(2, () => aWaitingRun(admin, { agent_id, tags: ['x'] }));
    const finished = await some(2, () => aFinishedRun(admin, { agent_id, tags: ['x'] }));
    const others = [
      (await aRunningRun(admin, { agent_id })).id,
      (await aRunningRun(admin, { tags: ['x'] })).id,
    ];
    for (const id of running) await aStep(admin, id);
    const filter = { agent_id, tag: 'x', status: ['running', 'waiting_human'] };
    const asked = await ask({ action: 'cancel', filter, reason: 'a wrong turn' });
    const later = (await aRunningRun(admin, { agent_id, tags: ['x'] })).id;
    const { key_id, id } = { key_id: asked.body.created_by, id: asked.body.id };
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        ...{
          id: expect.any(String),
          action: 'cancel',
          status: 'pending',
          cancel_reason: null,
          filter,
          named: null,
        },
        ...{
          project_id: null,
          agent_id: null,
          reason: 'a wrong turn',
          force: false,
          reuse: null,
          created_by: key_id,
        },
        ...{ matched: 0, done: 0, skipped: [], failed: 0, errors: [], started_at: null, ended_at: null },
        ...{ created_at: expect.any(String), updated_at: asked.body.created_at },
      },
    ]);
    await roundsOf(api.database, bulkActionRunners());
    expect((await admin.get(`/v1/bulk-actions/${id}`)).body).toEqual({
      ...{ ...asked.body, status: 'succeeded', matched: 5, done: 5 },
      ...{ started_at: expect.any(String), ended_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect(new Set(await statusesOf([...running, ...waiting]))).toEqual(new Set(['cancelled']));
    expect(await statusesOf([...finished, ...others, later])).toEqual([
      ...['succeeded', 'succeeded', 'running', 'running', 'running'],
    ]);
    for (const run of running) {
      expect((await truth.told(run)).slice(2)).toEqual(['step.started', 'step.completed', 'run.cancelled']);
      const [event] = await truth.query(
        `SELECT actor, data FROM run_events WHERE run_id = $1 AND type = 'run.cancelled'`,
        [run],
      );
      expect(event).toEqual({ actor: key_id, data: { error: 'a wrong turn' } });
    }
  });

  it('Deletes runs by their ids, each once; active ones are skipped unless it is forced, and what is not there is said to be so', async () => {
    const { id: agent_id } = await anAgent(admin);
    const finished = await some(3, () => aFinishedRun(admin, { agent_id }));
    const active = await some(2, () => aRunningRun(admin, { agent_id }));
    const missing = randomUUID();
    const ids = [...finished, ...active, missing, ...finished.map((id) => id.toUpperCase())];
    const first = await done({ action: 'delete', ids });
    expect(first).toMatchObject({
      ...{ status: 'succeeded', named: 6, filter: null, matched: 6, done: 3, failed: 0, errors: [] },
      skipped: [
        { code: 'run.active', count: 2 },
        { code: 'not_found', count: 1 },
      ],
    });
    for (const id of finished) expect((await admin.post(`/v1/runs/${id}/start`)).status).toBe(410);
    expect(await statusesOf(active)).toEqual(['running', 'running']);
    const second = await done({ action: 'delete', ids: active, force: true });
    expect(second).toMatchObject({ status: 'succeeded', force: true, matched: 2, done: 2, skipped: [] });
    expect(await truth.count('runs', 'agent_id = $1', [agent_id])).toBe(0);
  });

  it('Retries what a filter chooses once each, and none of the runs that come of it', async () => {
    const { id: agent_id } = await anAgent(admin);
    const failed = await some(4, async () => {
      const { id } = await aRunningRun(admin, { agent_id, input: { a: 1 } });
      await aToolCall(admin, id, { result: 1 });
      await aCheckpoint(admin, id);
      return (await admin.post(`/v1/runs/${id}/fail`, { error: 'no' })).body;
    });
    const before = await Promise.all(failed.map((id) => truth.run(id)));
    const reuse = 'recorded_tool_results';
    const action = await done({ action: 'retry', filter: { agent_id }, reason: 'again', reuse });
    expect(action).toMatchObject({ status: 'succeeded', matched: 4, done: 4, reuse });
    const made = (await admin.get(`/v1/runs?agent_id=${agent_id}&status=pending`)).body.data;
    expect(made.map((run: Answer['body']) => [run.origin, run.parent_run_id].join()).sort()).toEqual(
      failed.map((id) => `retry,${id}`).sort(),
    );
    expect((await truth.events(made[0].id))[0]?.data).toMatchObject({ reason: 'again', reuse });
    expect(await Promise.all(failed.map((id) => truth.run(id)))).toEqual(before);
    const claimed = await admin.post('/v1/runs/claim', { agent_id, lease_seconds: 60 });
    expect(claimed.body.recorded_tool_calls.data).toHaveLength(1);
  });

  it('A dry run tells how many it would be and which first, and changes nothing', async () => {
    const { id: agent_id } = await anAgent(admin);
    const running = await some(23, () => aRunningRun(admin, { agent_id }));
    const finished = await some(2, () => aFinishedRun(admin, { agent_id }));
    const [actions, events] = await Promise.all(
      ['bulk_actions', 'run_events'].map((table) => truth.count(table, 'true', [])),
    );
    const newest = (await admin.get(`/v1/runs?agent_id=${agent_id}&status=running&limit=20`)).body.data;
    const dry = async (body: object): Promise<unknown[]> => {
      const { status, body: shown } = await ask({ dry_run: true, ...body });
      const { action, matched, touched, is_complete, runs } = shown;
      return [status, action, matched, touched, is_complete, runs];
    };
    const filter = { agent_id };
    expect(await dry({ action: 'cancel', filter })).toEqual([200, 'cancel', 25, 23, true, newest]);
    const [, , ...deletion] = await dry({ action: 'delete', filter });
    expect(deletion.slice(0, 3)).toEqual([25, 2, true]);
    expect(idsOf(deletion[3] as { id: string }[]).sort()).toEqual([...finished].sort());
    expect((await dry({ action: 'delete', filter, force: true })).slice(2, 4)).toEqual([25, 25]);
    expect((await dry({ action: 'retry', filter })).slice(2, 4)).toEqual([25, 25]);
    expect((await dry({ action: 'cancel', filter: { agent_id, status: ['succeeded'] } })).slice(2)).toEqual([
      ...[2, 0, true, []],
    ]);
    const ids = [...running.slice(0, 2), ...finished, randomUUID()];
    expect((await dry({ action: 'cancel', ids })).slice(2, 4)).toEqual([4, 2]);
    await roundsOf(api.database, bulkActionRunners());
    expect(await truth.count('bulk_actions', 'true', [])).toBe(actions);
    expect(await truth.count('run_events', 'true', [])).toBe(events);
  });

  it('Every filter of the list of runs chooses what the list shows', async () => {
    const { id: agent_id, project_id } = await anAgent(admin);
    const parent = await aFinishedRun(admin, { agent_id });
    const wanted = await aRunningRun(admin, {
      ...{ agent_id, adapter: 'special', session_id: `s ${agent_id}`, tags: [`t ${agent_id}`] },
      parent_run_id: parent.id,
    });
    const at = Date.parse(wanted.created_at);
    const window = {
      created_after: new Date(at - 1).toISOString(),
      created_before: new Date(at + 1_000).toISOString(),
    };
    const filters = [
      { agent_id, status: ['running'] },
      { project_id, status: ['running', 'waiting_human'] },
      { adapter: 'special', agent_id },
      { session_id: `s ${agent_id}` },
      { tag: `t ${agent_id}` },
      { parent_run_id: parent.id },
      { ...window, agent_id },
    ];
    for (const filter of filters) {
      const { body } = await ask({ action: 'cancel', dry_run: true, filter });
      expect([filter, idsOf(body.runs)]).toEqual([filter, [wanted.id]]);
    }
  });

  it("[T5] A filter reaches no further than the key that asked, and who sees the key's scope sees the action", async () => {
    const { id: agent_id, project_id } = await anAgent(admin);
    const sibling = await anAgent(admin, { project_id });
    const elsewhere = await anAgent(admin);
    const foreign = api.as((await anOrganization(api.root)).api_key.key);
    const [own, near, far] = await Promise.all(
      [agent_id, sibling.id, elsewhere.id].map(async (id) => (await aRunningRun(admin, { agent_id: id })).id),
    );
    const theirs = (await aRunningRun(foreign)).id;
    const key = async (members: object) => api.as((await aKey(admin, members as never)).key as string);
    const ofAgent = await key({ scope: 'agent', agent_id, role: 'operator' });
    const ofProject = await key({ scope: 'project', project_id, role: 'operator' });
    const ofOther = await key({ scope: 'project', project_id: elsewhere.project_id, role: 'operator' });
    const everything = { status: ['running'] };
    const byIds = await done({ action: 'cancel', ids: [near, far, theirs] }, ofAgent);
    expect(byIds).toMatchObject({ matched: 3, done: 0, skipped: [{ code: 'not_found', count: 3 }] });
    const byAgent = await done({ action: 'cancel', filter: everything }, ofAgent);
    expect(byAgent).toMatchObject({ project_id, agent_id, matched: 1, done: 1 });
    expect(await statusesOf([own, near, far])).toEqual(['cancelled', 'running', 'running']);
    const byProject = await done({ action: 'retry', filter: everything }, ofProject);
    expect(byProject).toMatchObject({ project_id, agent_id: null, matched: 1, done: 1 });
    const named = await done({ action: 'cancel', filter: { project_id: elsewhere.project_id } }, ofProject);
    expect(named).toMatchObject({ status: 'succeeded', matched: 0 });
    expect(await statusOf(far)).toBe('running');
    expect((await foreign.get(`/v1/runs/${theirs}`)).body.status).toBe('running');
    const seenBy = async (client: Client, { id }: { id: string }): Promise<number[]> => {
      const listed = (await client.get('/v1/bulk-actions?limit=200')).body.data;
      return [
        (await client.get(`/v1/bulk-actions/${id}`)).status,
        (await client.post(`/v1/bulk-actions/${id}/cancel`)).status,
        idsOf(listed).filter((one) => one === id).length,
      ];
    };
    for (const client of [admin, ofProject, ofAgent])
      expect(await seenBy(client, byAgent)).toEqual([200, 200, 1]);
    for (const client of [admin, ofProject]) expect(await seenBy(client, byProject)).toEqual([200, 200, 1]);
    for (const client of [ofAgent, ofOther, foreign])
      expect(await seenBy(client, byProject)).toEqual([404, 404, 0]);
    for (const client of [ofOther, foreign]) expect(await seenBy(client, byAgent)).toEqual([404, 404, 0]);
  });

  it('[T6] Each action takes the role that the door for one run takes, a dry run of it, too', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aFinishedRun(admin, { agent_id });
    const as = async (role: string) =>
      api.as((await aKey(admin, { scope: 'agent', agent_id, role })).key as string);
    const [viewer, reporter, operator] = [await as('viewer'), await as('reporter'), await as('operator')];
    const statuses = (client: Client) =>
      Promise.all(
        ['cancel', 'retry', 'delete'].map(async (action) => {
          const [wet, dry] = [
            await ask({ action, ids: [id] }, client),
            await ask({ action, ids: [id], dry_run: true }, client),
          ];
          return [wet.status, dry.status];
        }),
      );
    expect(await statuses(viewer)).toEqual([
      [403, 403],
      [403, 403],
      [403, 403],
    ]);
    expect(await statuses(reporter)).toEqual([
      [403, 403],
      [403, 403],
      [403, 403],
    ]);
    expect(await statuses(operator)).toEqual([
      [202, 200],
      [202, 200],
      [403, 403],
    ]);
    expect((await viewer.get('/v1/bulk-actions')).body.data).toHaveLength(2);
    await roundsOf(api.database, bulkActionRunners());
  });

  it('One that was stopped does nothing more, and one that has ended stays as it ended', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id: run } = await aRunningRun(admin, { agent_id });
    const { id } = (await ask({ action: 'cancel', ids: [run] })).body;
    const stopped = await admin.post(`/v1/bulk-actions/${id}/cancel`);
    expect([stopped.status, stopped.body]).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', cancel_reason: 'requested', done: 0 }),
    ]);
    await roundsOf(api.database, bulkActionRunners());
    expect(await statusOf(run)).toBe('running');
    expect((await admin.post(`/v1/bulk-actions/${id}/cancel`)).body).toEqual(stopped.body);
    const ended = await done({ action: 'cancel', ids: [run] });
    expect((await admin.post(`/v1/bulk-actions/${ended.id}/cancel`)).body).toEqual(ended);
  });

  it('Of those who ask at once no more are let in than one key may have open, and again when one has ended', async () => {
    const { id: project_id } = await aProject(admin);
    const keyed = async () => {
      const { key } = await aKey(admin, { scope: 'project', project_id, role: 'operator' });
      return api.as(key);
    };
    const [busy, other] = [await keyed(), await keyed()];
    const body = { action: 'cancel', filter: { tag: randomUUID() } };
    for (let open = 0; open < 95; open++) expect((await ask(body, busy)).status).toBe(202);
    const asked = await atOnce(20, () => ask(body, busy));
    const statuses = asked.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(202), ...Array(15).fill(429)]);
    expect((await ask(body, busy)).body.code).toBe('too_many_bulk_actions');
    expect((await ask({ ...body, dry_run: true }, busy)).status).toBe(200);
    expect((await ask(body, other)).status).toBe(202);
    const open = asked.find(({ status }) => status === 202) as Answer;
    await busy.post(`/v1/bulk-actions/${open.body.id}/cancel`);
    expect([(await ask(body, busy)).status, (await ask(body, busy)).status]).toEqual([202, 429]);
    await roundsOf(api.database, bulkActionRunners());
    expect((await ask(body, busy)).status).toBe(202);
  });

  it('An Idempotency-Key asks once', async () => {
    const { id: agent_id } = await anAgent(admin);
    const headers = { 'idempotency-key': randomUUID() };
    const once = () => admin.post('/v1/bulk-actions', { action: 'cancel', filter: { agent_id } }, headers);
    const [first, second] = [await once(), await once()];
    expect([second.status, second.body]).toEqual([202, first.body]);
    await roundsOf(api.database, bulkActionRunners());
  });

  it.each([
    ['neither ids nor filter', { action: 'cancel' }, '/ids'],
    ['both', { action: 'cancel', ids: [randomUUID()], filter: { tag: 'x' } }, '/ids'],
    ['a filter that names nothing', { action: 'cancel', filter: {} }, '/filter'],
    ['an unknown filter', { action: 'cancel', filter: { colour: 'red' } }, '/filter/colour'],
    ['an unknown status', { action: 'cancel', filter: { status: ['done'] } }, '/filter/status'],
    ['no ids', { action: 'cancel', ids: [] }, '/ids'],
    ['something that is no id', { action: 'cancel', ids: ['x'] }, '/ids'],
    [
      'more ids than a request may name',
      { action: 'cancel', ids: Array.from({ length: 1_001 }, () => randomUUID()) },
      '/ids',
    ],
    ['an unknown action', { action: 'resume', ids: [randomUUID()] }, '/action'],
    ['a reason for a deletion', { action: 'delete', ids: [randomUUID()], reason: 'x' }, '/reason'],
    ['force for a cancellation', { action: 'cancel', ids: [randomUUID()], force: true }, '/force'],
    ['reuse for a cancellation', { action: 'cancel', ids: [randomUUID()], reuse: 'none' }, '/reuse'],
  ])('What has %s is refused', async (_, body, pointer) => {
    const { status, body: problem } = await ask(body);
    expect([status, problem.code, problem.errors[0].pointer]).toEqual([400, 'invalid_request', pointer]);
  });
});
