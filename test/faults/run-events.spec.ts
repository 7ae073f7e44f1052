import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { dice } from '../support/dice.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { killListeners } from '../support/listeners.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { openStream, type StreamedEvent } from '../support/streams.js';
import * as things from '../support/things.js';

let pair: ApiPair;
beforeAll(async () => {
  pair = await aPairOfApis();
});
afterAll(() => pair.close());

const path = (runId: string): string => `/v1/runs/${runId}/events`;
const seqs = (events: readonly StreamedEvent[]): number[] => events.map(({ id }) => Number(id));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const key = (): string => pair.first.adminKey;

/** Whole numbers from 0 to below a number. */
function aDie(seed: number): (sides: number) => number {
  const throwOf = dice(seed);
  return (sides) => Math.floor(throwOf() * sides);
}

/** Follows a run at changing instances, leaving at random, and answers the ids that it was told in all. */
async function followAtRandom(runId: string, seed: number): Promise<number[]> {
  const die = aDie(seed);
  const told: number[] = [];
  for (;;) {
    const api = die(2) === 0 ? pair.first : pair.second;
    const headers: Record<string, string> = told.length === 0 ? {} : { 'last-event-id': String(told.at(-1)) };
    const stream = await openStream(api, path(runId), key(), headers);
    if (stream.status === 204) return told;
    const count = 1 + die(800);
    const events = await stream.take(count);
    told.push(...seqs(events));
    stream.close();
    if (events.at(-1)?.type === 'run.succeeded') return told;
  }
}

describe('streams of a run over two instances', () => {
  it('[E1 E3] 10,000 events by both, twenty readers who leave and come again at either: each reads the log, once and in order', async () => {
    const id = randomUUID();
    await pair.admins[0].post('/v1/ingest', [aRunStart(id)]);
    const readers = upTo(20).map((seed) => followAtRandom(id, seed));
    for (let batch = 0; batch < 50; batch++) {
      const items = upTo(200).map(() => aStepStart(id));
      const answer = await pair.admins[batch % 2 === 0 ? 0 : 1].post('/v1/ingest', items);
      expect(answer.text).toContain(`"rejected":0`);
    }
    const { status } = await pair.admins[0].post(`/v1/runs/${id}/succeed`, { output: 1 });
    expect(status).toBe(200);
    for (const told of await Promise.all(readers)) expect(told).toEqual(upTo(told.length));
    expect((await readers[0])?.length).toBe(10_000 + 3);
  }, 120_000);

  it('[E3] 500 connections while events flow find no gap and no repeat between what was and what comes', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    let isWriting = true;
    const writing = (async () => {
      while (isWriting)
        await pair.admins[1].post(
          '/v1/ingest',
          upTo(5).map(() => aStepStart(run.id)),
        );
    })();
    for (let round = 0; round < 20; round++) {
      const from = Math.max(0, round * 5 - 20);
      const streams = await Promise.all(
        upTo(25).map(() => openStream(pair.first, `${path(run.id)}?after=0`, key())),
      );
      for (const stream of streams) {
        expect(seqs(await stream.take(from + 10))).toEqual(upTo(from + 10));
        stream.close();
      }
    }
    isWriting = false;
    await writing;
  }, 120_000);

  it('[E2] what is committed late is told in its place: nothing behind it was told before', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await openStream(pair.first, path(run.id), key());
    await stream.take(2);
    const written = await connected(pair.first.database.adminUrl, async (client) => {
      await client.query('BEGIN');
      await client.query(
        `WITH run AS (UPDATE runs SET last_event_seq = last_event_seq + 1 WHERE id = $1 RETURNING tenant_id, id, last_event_seq)
         INSERT INTO run_events (tenant_id, run_id, seq, type) SELECT tenant_id, id, last_event_seq, 'step.updated' FROM run`,
        [run.id],
      );
      const waiting = things.aStep(pair.admins[1], run.id);
      const early = await openStream(pair.second, path(run.id), key());
      expect(seqs(await early.take(2))).toEqual([1, 2]);
      await client.query('COMMIT');
      await waiting;
      return early;
    });
    for (const reader of [stream, written]) {
      expect(await reader.take(2)).toMatchObject([
        { id: '3', type: 'step.updated' },
        { id: '4', type: 'step.started' },
      ]);
      reader.close();
    }
  });

  it('[E4] the listeners are killed again and again, and what the other instance writes is told all the same', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await openStream(pair.first, path(run.id), key());
    const told: number[] = [];
    for (let i = 0; i < 15; i++) {
      await killListeners(pair.first.database, 2);
      await things.aStep(pair.admins[1], run.id);
      told.push(...seqs(await stream.take(i === 0 ? 3 : 1)));
    }
    expect(told).toEqual(upTo(17));
    stream.close();
  }, 60_000);

  it('[E13] a stream whose database fails ends without a word, and goes on from its last event', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await openStream(pair.first, path(run.id), key());
    await stream.take(2);
    await connected(pair.first.database.adminUrl, async (client) => {
      await client.query('ALTER TABLE run_events RENAME TO run_events_away');
      expect(await stream.rest()).toEqual([]);
      await client.query('ALTER TABLE run_events_away RENAME TO run_events');
    });
    expect(stream.text).not.toContain('error');
    await things.aStep(pair.admins[0], run.id);
    const again = await openStream(pair.second, path(run.id), key(), { 'last-event-id': '2' });
    expect(seqs(await again.take(1))).toEqual([3]);
    again.close();
  });

  it('[E6] readers who do not read cost no memory and hold nobody up, and can read it all later', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const sockets = new Set<Socket>();
    const server = pair.first.app.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => sockets.add(socket));
    const idle = await Promise.all(upTo(20).map(() => aRawStream(pair.first, run.id)));
    const awake = await openStream(pair.first, path(run.id), key());
    await awake.take(2);
    let pending = 0;
    const payload = 'z'.repeat(900_000);
    for (let i = 0; i < 20; i++) {
      await pair.admins[1].post(`/v1/runs/${run.id}/wait`, { payload });
      await pair.admins[1].post(`/v1/runs/${run.id}/resume`, { input: i });
      expect(seqs(await awake.take(4))).toEqual(upTo(6 + 4 * i).slice(-4));
      pending = Math.max(pending, ...[...sockets].map(({ writableLength }) => writableLength));
    }
    // Two events of that size are the most that one reader has waiting for it, of the 36 MB that there are.
    expect(pending).toBeLessThan(4 * 1024 * 1024);
    for (const socket of idle) socket.destroy();
    awake.close();
    const late = await openStream(pair.second, path(run.id), key(), { 'last-event-id': '2' });
    expect(seqs(await late.take(80))).toEqual(upTo(82).slice(2));
    late.close();
  }, 120_000);

  it('[E8] 2,000 connections that break off in whatever moment leave nobody behind', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const { followers } = pair.first.news;
    const die = aDie(7);
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        upTo(50).map(async () => {
          const socket = await aRawStream(pair.first, run.id, die(3) === 0 ? 'af_org_wrong' : key());
          if (die(2) === 0) await once(socket.resume(), 'data');
          if (die(2) === 0) socket.resetAndDestroy();
          else socket.destroy();
        }),
      );
    }
    await untilNobody(() => followers.size);
    expect(followers.size).toBe(0);
    const stream = await openStream(pair.first, path(run.id), key());
    expect(seqs(await stream.take(2))).toEqual([1, 2]);
    stream.close();
  }, 120_000);
});

/** A request for a stream of which nothing is read. */
async function aRawStream(api: TestApi, runId: string, credential = key()) {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.write(
    `GET ${path(runId)} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${credential}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  socket.pause();
  return socket;
}

async function untilNobody(count: () => number): Promise<void> {
  const until = performance.now() + 10_000;
  while (count() > 0 && performance.now() < until) await pair.admins[0].get('/v1/me');
}
