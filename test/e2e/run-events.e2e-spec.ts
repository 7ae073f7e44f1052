import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { openStream, type OpenStream, type StreamedEvent } from '../support/streams.js';
import * as things from '../support/things.js';

let api: TestApi;
beforeAll(async () => {
  api = await anApi();
});
afterAll(() => api.close());

const follow = (runId: string, headers: Record<string, string> = {}, query = ''): Promise<OpenStream> =>
  openStream(api, `/v1/runs/${runId}/events${query}`, api.adminKey, headers);
const seqs = (events: readonly StreamedEvent[]): number[] => events.map(({ id }) => Number(id));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const finish = (runId: string) => api.admin.post(`/v1/runs/${runId}/succeed`, { output: 1 });

describe('GET /v1/runs/:run_id/events', () => {
  it('[E11] tells what happened in order, then what happens, and ends behind the last event of the run', async () => {
    const run = await things.aRunningRun(api.admin);
    const step = await things.aStep(api.admin, run.id);
    const stream = await follow(run.id);
    const replayed = await stream.take(3);
    expect(replayed.map(({ type }) => type)).toEqual(['run.created', 'run.started', 'step.started']);
    expect(replayed[2]).toEqual({
      id: '3',
      type: 'step.started',
      data: {
        run_id: run.id,
        seq: 3,
        type: 'step.started',
        at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        entity_id: step.id,
        data: expect.objectContaining({ index: 0 }),
      },
    });
    await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', content: 'hello' });
    expect(await stream.take(1)).toMatchObject([{ id: '4', type: 'message.created' }]);
    await finish(run.id);
    expect(await stream.rest()).toMatchObject([{ id: '5', type: 'run.succeeded' }]);
    const whole = await follow(run.id);
    expect(seqs(await whole.rest())).toEqual(upTo(5));
  });

  it('[E11] answers 204 when the run has ended and everything was seen', async () => {
    const run = await things.aRunningRun(api.admin);
    await finish(run.id);
    const seen = await follow(run.id, { 'last-event-id': '3' });
    expect(seen.status).toBe(204);
  });

  it('stays open while a run waits for a person', async () => {
    const run = await things.aRunningRun(api.admin);
    await api.admin.post(`/v1/runs/${run.id}/wait`, { question: 'May I?' });
    const stream = await follow(run.id);
    expect((await stream.take(4)).at(-1)?.type).toBe('run.waiting_human');
    await api.admin.post(`/v1/runs/${run.id}/resume`, { input: 'yes' });
    expect(await stream.take(2)).toMatchObject([
      { id: '5', type: 'approval.resolved' },
      { id: '6', type: 'run.resumed' },
    ]);
    stream.close();
  });

  it('[E1] goes on behind the last event that a client got, by header or by parameter; the header outdoes', async () => {
    const run = await things.aRunningRun(api.admin);
    for (let i = 0; i < 3; i++) await things.aStep(api.admin, run.id);
    await finish(run.id);
    const behind = async (headers: Record<string, string>, query: string) =>
      seqs(await (await follow(run.id, headers, query)).rest());
    expect(await behind({ 'last-event-id': '4' }, '')).toEqual([5, 6]);
    expect(await behind({}, '?after=3')).toEqual([4, 5, 6]);
    expect(await behind({ 'last-event-id': '5' }, '?after=1')).toEqual([6]);
  });

  it('[E10] refuses an id that is none of the run, and says how far its log reaches', async () => {
    const run = await things.aRunningRun(api.admin);
    const path = `/v1/runs/${run.id}/events`;
    for (const id of ['-1', 'x', '1.5', '1e3', '0x1', '9'.repeat(10_000), '3, 4', '99'])
      expect(await api.admin.get(path, { 'last-event-id': id })).toMatchObject({ status: 400 });
    expect((await api.admin.get(path, { 'last-event-id': '3' })).body.errors[0].detail).toContain('event 2');
    for (const after of ['-1', 'x', '99', '1&after=2'])
      expect(await api.admin.get(`${path}?after=${after}`)).toMatchObject({ status: 400 });
  });

  it('[T1] is the same 404 for a run that is elsewhere and for none', async () => {
    const stranger = await things.anOrganization(api.root);
    const run = await things.aRunningRun(api.admin);
    const answers = [
      await api.as(stranger.api_key.key).get(`/v1/runs/${run.id}/events`),
      await api.admin.get(`/v1/runs/${randomUUID()}/events`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
  });

  it('[E14] is told in headers that proxies keep their hands off', async () => {
    const run = await things.aRunningRun(api.admin);
    const stream = await follow(run.id);
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
    });
    await stream.until((text) => text.startsWith('retry: 2000\n\n'));
    stream.close();
  });

  it('[E9] keeps every event one event, whatever stands in it', async () => {
    const run = await things.aRunningRun(api.admin);
    const hostile = 'a\r\nid: 99\n\ndata: forged\u2028\u2029\rx\u0085';
    await api.admin.post(`/v1/runs/${run.id}/steps`, { node: hostile.replaceAll(/[\r\n\u0085]/g, ' ') });
    const question = `{ "why":\r\n\n ${JSON.stringify(hostile)},\n\n"data": "x"\r}`;
    await api.admin.post(`/v1/runs/${run.id}/wait`, `{"payload": ${question}}`);
    await api.admin.post(`/v1/runs/${run.id}/cancel`, { reason: hostile });
    const events = await (await follow(run.id)).rest();
    expect(seqs(events)).toEqual(upTo(events.length));
    expect(events.map(({ data }) => data.seq)).toEqual(upTo(events.length));
    expect(JSON.stringify(events.find(({ type }) => type === 'run.waiting_human')?.data)).toContain('forged');
  });

  it('[E5] delivers an event of a megabyte whole', async () => {
    const run = await things.aRunningRun(api.admin);
    const stream = await follow(run.id);
    const payload = { text: 'y'.repeat(900_000) };
    await api.admin.post(`/v1/runs/${run.id}/wait`, { payload });
    const event = (await stream.take(4))[3];
    expect(JSON.stringify(event?.data)).toContain(payload.text);
    stream.close();
  });

  it('tells of what a batch brought, in the order in which it was committed', async () => {
    const id = randomUUID();
    await api.admin.post('/v1/ingest', [aRunStart(id), aStepStart(id)]);
    const stream = await follow(id);
    const before = await stream.take(3);
    await api.admin.post('/v1/ingest', [aStepStart(id), aStepStart(id)]);
    expect(seqs([...before, ...(await stream.take(2))])).toEqual(upTo(5));
    stream.close();
  });

  it('ends when the run is deleted', async () => {
    const run = await things.aRunningRun(api.admin);
    const stream = await follow(run.id);
    await stream.take(2);
    await api.admin.delete(`/v1/runs/${run.id}?force=true`);
    expect(await stream.rest()).toEqual([]);
  });

  it('[E12] ends within moments when its key is revoked, and tells nothing more', async () => {
    const run = await things.aRunningRun(api.admin);
    const { id, key } = await things.aKey(api.admin, { scope: 'organization', role: 'viewer' });
    const stream = await openStream(api, `/v1/runs/${run.id}/events`, key);
    await stream.take(2);
    await api.admin.delete(`/v1/api-keys/${id}`);
    expect(await stream.rest()).toEqual([]);
    await things.aStep(api.admin, run.id);
    expect(stream.text).not.toContain('step.started');
  });
});
