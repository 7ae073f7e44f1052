import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connected } from '../support/database.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { openStream, type OpenStream, type StreamedEvent } from '../support/streams.js';
import * as things from '../support/things.js';

let pair: ApiPair;
beforeAll(async () => {
  pair = await aPairOfApis();
});
afterAll(() => pair.close());

const log = (text: string): object => ({ type: 'log', text });
const token = (text: string): object => ({ type: 'token.delta', text });
const isLive = ({ type }: StreamedEvent): boolean => type === 'log' || type === 'token.delta';

/** Says something at the second instance, at which the first hears it, or at the one that is named. */
const say = (runId: string, items: object[], at: 0 | 1 = 1, headers: Record<string, string> = {}) =>
  pair.admins[at].post(`/v1/runs/${runId}/live`, { items }, headers);

const follow = (runId: string, headers: Record<string, string> = {}): Promise<OpenStream> =>
  openStream(pair.first, `/v1/runs/${runId}/events`, pair.first.adminKey, headers);

/** A stream that is known at both instances: what is said from now on reaches it. */
async function aHeardStream(runId: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const stream = await follow(runId, headers);
  const knock = randomUUID();
  const heard = stream.until((text) => text.includes(knock));
  let isHeard = false;
  void heard.then(() => (isHeard = true));
  while (!isHeard) expect((await say(runId, [log(knock)])).status).toBe(204);
  await heard;
  // Whatever comes behind it is new.
  const last = randomUUID();
  await say(runId, [log(last)]);
  for (let event = await stream.next(); event?.data.text !== last;) event = await stream.next();
  return stream;
}

describe('POST /v1/runs/:run_id/live', () => {
  it('is heard at every instance by those who follow the run, in the order in which it was said, and nowhere else', async () => {
    const [run, other] = [await things.aRunningRun(pair.admins[0]), await things.aRunningRun(pair.admins[0])];
    const stream = await aHeardStream(run.id);
    const elsewhere = await aHeardStream(other.id);
    const all = await openStream(pair.first, '/v1/events', pair.first.adminKey);
    for (let i = 0; i < 20; i++) {
      const answer = await say(run.id, [token(`${i} a`), token(`${i} b`)], i % 2 === 0 ? 0 : 1);
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    const heard = (await stream.take(40)).map(({ data }) => data.text);
    expect(heard).toEqual(Array.from({ length: 20 }, (_, i) => [`${i} a`, `${i} b`]).flat());
    await things.aStep(pair.admins[0], other.id);
    expect((await elsewhere.take(1)).map(({ type }) => type)).toEqual(['step.started']);
    await all.take(1);
    expect(all.text).not.toContain('token.delta');
    for (const one of [stream, elsewhere, all]) one.close();
  });

  it('hands on what was said as it was sent, without an id: who comes again goes on behind the last event', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await aHeardStream(run.id);
    const step_id = randomUUID();
    const text = 'a\r\nid: 99\n\ndata: forged\u2028\u0085 ü 🙂';
    await pair.admins[1].post(
      `/v1/runs/${run.id}/live`,
      `{"items":[{"type":"log","level":"warn","text":${JSON.stringify(text)},"step_id":"${step_id}","data":{"n":1.0,\n"big":12345678901234567890}}]}`,
    );
    expect(await stream.next()).toEqual({
      id: '',
      type: 'log',
      data: {
        run_id: run.id,
        type: 'log',
        text,
        step_id,
        level: 'warn',
        data: { n: 1, big: 12345678901234567890 },
      },
    });
    expect(stream.text).toContain('{"n":1.0, "big":12345678901234567890}');
    expect(stream.lastId).toBe('2');
    await things.aStep(pair.admins[0], run.id);
    expect((await stream.next())?.id).toBe('3');
    stream.close();
    const again = await follow(run.id, { 'last-event-id': '2' });
    expect((await again.take(1)).map(({ id, type }) => [id, type])).toEqual([['3', 'step.started']]);
    again.close();
  });

  it('[E5] what is larger than a notification is heard whole', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await aHeardStream(run.id);
    const items = Array.from({ length: 12 }, (_, i) => token(`${i} ${'ü'.repeat(8_000)}`));
    expect((await say(run.id, items)).status).toBe(204);
    expect((await stream.take(12)).map(({ data }) => data.text)).toEqual(items.map((item: any) => item.text)); // eslint-disable-line @typescript-eslint/no-explicit-any
    stream.close();
  });

  it('is not stored, and not counted', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const before = (await pair.admins[0].get(`/v1/runs/${run.id}`)).body;
    const stream = await aHeardStream(run.id);
    await say(run.id, [token('gone')]);
    await stream.take(1);
    stream.close();
    expect((await pair.admins[0].get(`/v1/runs/${run.id}`)).body).toEqual(before);
    await pair.admins[0].post(`/v1/runs/${run.id}/succeed`, {});
    const events = await (await follow(run.id)).rest();
    expect(events.filter(isLive)).toEqual([]);
    expect(events.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('is not heard by another organization whose run has the same id', async () => {
    const stranger = await things.anOrganization(pair.first.root);
    const theirs = pair.first.as(stranger.api_key.key);
    const project = await things.aProject(theirs);
    const agent = await things.anAgent(theirs, { project_id: project.id });
    const run = await things.aRunningRun(pair.admins[0]);
    await things.aRunningRun(theirs, { id: run.id, agent_id: agent.id });
    const stream = await aHeardStream(run.id);
    const foreign = await openStream(pair.first, `/v1/runs/${run.id}/events`, stranger.api_key.key);
    await foreign.take(2);
    await say(run.id, [token('secret')]);
    await stream.take(1);
    await theirs.post(`/v1/runs/${run.id}/succeed`, {});
    expect((await foreign.rest()).map(({ type }) => type)).toEqual(['run.succeeded']);
    expect(foreign.text).not.toContain('secret');
    stream.close();
  });

  it('is refused for a run that has ended, that is elsewhere or not there, and for who may not report', async () => {
    const run = await things.aFinishedRun(pair.admins[0]);
    const items = [token('late')];
    expect(await say(run.id, items)).toMatchObject({ status: 409, body: { code: 'run.final' } });
    expect(await say(randomUUID(), items)).toMatchObject({ status: 404 });
    const stranger = await things.anOrganization(pair.first.root);
    const open = await things.aRunningRun(pair.admins[0]);
    const path = `/v1/runs/${open.id}/live`;
    expect(await pair.first.as(stranger.api_key.key).post(path, { items })).toMatchObject({ status: 404 });
    const viewer = await things.aKey(pair.admins[0], { scope: 'organization', role: 'viewer' });
    expect(await pair.first.as(viewer.key).post(path, { items })).toMatchObject({ status: 403 });
    await pair.admins[0].delete(`/v1/runs/${open.id}?force=true`);
    expect(await say(open.id, items)).toMatchObject({ status: 410, body: { code: 'run.deleted' } });
  });

  it('is refused under a lease that is lost, and prolongs the one that is held', async () => {
    const run = await things.aRunningRun(pair.admins[0], { lease_seconds: 600 });
    const held = await say(run.id, [token('x')], 1, { 'agentflow-lease': run.lease_token });
    expect([held.status, held.headers.get('agentflow-cancel-requested')]).toEqual([204, 'false']);
    expect(Date.parse(held.headers.get('agentflow-lease-expires-at') ?? '')).toBeGreaterThan(
      Date.parse(run.lease_expires_at),
    );
    const lost = await say(run.id, [token('x')], 1, { 'agentflow-lease': randomUUID() });
    expect(lost).toMatchObject({ status: 409, body: { code: 'run.lease_lost' } });
  });

  it('is said to nobody when nobody follows the run', async () => {
    const [run, followed] = [
      await things.aRunningRun(pair.admins[0]),
      await things.aRunningRun(pair.admins[0]),
    ];
    await connected(pair.first.database.adminUrl, async (client) => {
      const said: string[] = [];
      client.on('notification', ({ payload = '' }) => said.push(payload));
      await client.query('LISTEN agentflow_live');
      await say(run.id, [token('in vain')]);
      const stream = await aHeardStream(followed.id);
      await say(run.id, [token('in vain')]);
      await say(followed.id, [token('heard')]);
      await stream.take(1);
      await client.query('SELECT 1');
      expect(said.join('\n')).toContain('heard');
      expect(said.join('\n')).not.toContain('in vain');
      stream.close();
    });
  });

  it('[E6] is left out for who does not read, who is told every event all the same', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const sockets = new Set<Socket>();
    const server = pair.first.app.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => sockets.add(socket));
    const { hostname, port } = new URL(pair.first.url);
    const idle = connect({ host: hostname, port: Number(port) });
    await once(idle, 'connect');
    idle.pause();
    idle.write(
      `GET /v1/runs/${run.id}/events HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${pair.first.adminKey}\r\n\r\n`,
    );
    const stream = await aHeardStream(run.id);
    let pending = 0;
    for (let i = 0; i < 60; i++) {
      await say(
        run.id,
        Array.from({ length: 15 }, () => token('z'.repeat(16_000))),
        0,
      );
      await stream.take(15);
      pending = Math.max(pending, ...[...sockets].map(({ writableLength }) => writableLength));
    }
    // One request's worth is the most that waits for it, of the 14 MB that were said.
    expect(pending).toBeLessThan(1024 * 1024);
    await things.aStep(pair.admins[0], run.id);
    expect((await stream.take(1)).map(({ id }) => id)).toEqual(['3']);
    let text = '';
    idle.on('data', (data) => (text += data.toString()));
    idle.resume();
    while (!text.includes('step.started')) await once(idle, 'data');
    expect(text.length).toBeLessThan(14 * 1024 * 1024);
    idle.destroy();
    stream.close();
  }, 120_000);

  it('with an Idempotency-Key it is said once', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await aHeardStream(run.id);
    const headers = { 'idempotency-key': randomUUID() };
    expect((await say(run.id, [token('once')], 1, headers)).status).toBe(204);
    expect((await say(run.id, [token('once')], 0, headers)).status).toBe(204);
    await say(run.id, [token('then')]);
    expect((await stream.take(2)).map(({ data }) => data.text)).toEqual(['once', 'then']);
    stream.close();
  });

  it.each([
    [{}],
    [{ items: [] }],
    [{ items: {} }],
    [{ items: [token('x')], more: 1 }],
    [{ items: [{ type: 'token.delta' }] }],
    [{ items: [{ type: 'step.started', text: 'x' }] }],
    [{ items: [{ type: 'log', text: 1 }] }],
    [{ items: [{ type: 'log', text: 'x', level: 'fatal' }] }],
    [{ items: [{ type: 'log', text: 'x', id: '7' }] }],
    [{ items: [{ type: 'log', text: 'x', step_id: 'x' }] }],
    [{ items: [{ type: 'log', text: 'x'.repeat(16_385) }] }],
    [{ items: Array.from({ length: 257 }, () => log('x')) }],
    [{ items: Array.from({ length: 20 }, () => log('x'.repeat(16_000))) }],
  ])('refuses %j', async (body) => {
    const run = await things.aRunningRun(pair.admins[0]);
    const answer = await pair.admins[0].post(`/v1/runs/${run.id}/live`, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });
});
