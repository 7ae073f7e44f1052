import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { dice } from '../support/dice.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { killListeners } from '../support/listeners.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { untilEventsAreSettled } from '../support/settled-events.js';
import { openStream, type OpenStream, type StreamedEvent } from '../support/streams.js';
import * as things from '../support/things.js';

let pair: ApiPair;
beforeAll(async () => {
  pair = await aPairOfApis();
});
afterAll(() => pair.close());

const key = (): string => pair.first.adminKey;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const nameOf = ({ data }: StreamedEvent): string => `${data.run_id} ${data.seq}`;

/** Whole numbers from 0 to below a number. */
function aDie(seed: number): (sides: number) => number {
  const throwOf = dice(seed);
  return (sides) => Math.floor(throwOf() * sides);
}

/** A stream that has begun, or goes on behind an id. */
async function follow(api: TestApi, after?: string): Promise<OpenStream> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  const stream = await openStream(api, '/v1/events', key(), headers);
  await stream.until((text) => /\nid: .*\n\n/.test(text));
  return stream;
}

async function anId(): Promise<string> {
  await untilEventsAreSettled(pair.first.database);
  const stream = await follow(pair.first);
  stream.close();
  return stream.lastId as string;
}

/** So many events behind an id, at changing instances, leaving at random. */
async function readAtRandom(from: string, count: number, seed: number): Promise<string[]> {
  const die = aDie(seed);
  const told: string[] = [];
  for (let id = from; told.length < count;) {
    const stream = await follow(die(2) === 0 ? pair.first : pair.second, id);
    const events = await stream.take(Math.min(1 + die(400), count - told.length));
    told.push(...events.map(nameOf));
    id = stream.lastId as string;
    stream.close();
  }
  return told;
}

/** Every event behind an id, as the database has them. */
const settled = (): Promise<string[]> =>
  connected(pair.first.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ run_id: string; seq: string }>(
      'SELECT run_id, seq FROM run_events ORDER BY xid, run_id, seq',
    );
    return rows.map(({ run_id, seq }) => `${run_id} ${seq}`);
  });

/** Whether the events of each run come in the order of their numbers, without a gap. */
function expectRunsInOrder(told: readonly string[]): void {
  const last = new Map<string, number>();
  for (const name of told) {
    const [run = '', seq] = name.split(' ');
    expect([name, last.get(run) ?? Number(seq) - 1]).toEqual([name, Number(seq) - 1]);
    last.set(run, Number(seq));
  }
}

describe('streams of all runs over two instances', () => {
  it('[E1 E3] events of many runs by both, readers who leave and come again at either: each reads the same, once and in order', async () => {
    const from = await anId();
    const runs = upTo(6).map(() => randomUUID());
    await pair.admins[0].post('/v1/ingest', runs.map((id) => aRunStart(id))); // prettier-ignore
    const count = 12 + 2_400;
    const readers = upTo(10).map((seed) => readAtRandom(from, count, seed));
    const die = aDie(42);
    const write = async (writer: number): Promise<void> => {
      for (let batch = 0; batch < 20; batch++) {
        const items = upTo(30).map(() => aStepStart(runs[die(6)] as string));
        const answer = await pair.admins[writer % 2 === 0 ? 0 : 1].post('/v1/ingest', items);
        expect(answer.text).toContain(`"rejected":0`);
      }
    };
    await Promise.all(upTo(4).map(write));
    const truth = (await settled()).slice(-count);
    expectRunsInOrder(truth);
    for (const told of await Promise.all(readers)) expect(told).toEqual(truth);
  }, 120_000);

  it('[E2] what is committed late is told, and nothing that waits for it before', async () => {
    const [late, early] = [
      await things.aRunningRun(pair.admins[0]),
      await things.aRunningRun(pair.admins[0]),
    ];
    const from = await anId();
    const stream = await follow(pair.first, from);
    const again = await connected(pair.first.database.adminUrl, async (client) => {
      await client.query('BEGIN');
      await client.query(
        `WITH run AS (UPDATE runs SET last_event_seq = last_event_seq + 1 WHERE id = $1 RETURNING tenant_id, id, last_event_seq)
         INSERT INTO run_events (tenant_id, run_id, seq, type) SELECT tenant_id, id, last_event_seq, 'step.updated' FROM run`,
        [late.id],
      );
      await things.aStep(pair.admins[0], early.id);
      await things.aStep(pair.admins[1], early.id);
      // A reader who comes now must not be led past what is under way.
      const early_ = await follow(pair.second, from);
      const now = await follow(pair.second);
      for (const reader of [stream, early_, now]) expect(reader.text).not.toContain('data:');
      now.close();
      await client.query('COMMIT');
      return [early_, await follow(pair.first, now.lastId)];
    });
    for (const reader of [stream, ...again]) {
      expect((await reader.take(3)).map(nameOf)).toEqual([`${late.id} 3`, `${early.id} 3`, `${early.id} 4`]);
      reader.close();
    }
  });

  it('[E2] who was numbered first and waited for the run tells behind those he waited for', async () => {
    const [a = '', b = ''] = [randomUUID(), randomUUID()].sort();
    await pair.admins[0].post('/v1/ingest', [aRunStart(a), aRunStart(b)]);
    const stream = await follow(pair.first);
    const { adminUrl } = pair.first.database;
    await connected(adminUrl, (gate) =>
      connected(adminUrl, async (other) => {
        await gate.query('BEGIN');
        await gate.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [a]);
        // Numbered by its key, it waits for the first of its runs.
        const waiting = pair.admins[0].post('/v1/ingest', [aStepStart(a), aStepStart(b)], {
          'idempotency-key': randomUUID(),
        });
        const waits = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'agentflow test' AND wait_event_type = 'Lock'`;
        while ((await other.query(waits)).rowCount === 0);
        await other.query('BEGIN');
        await other.query('SELECT pg_current_xact_id()');
        await things.aStep(pair.admins[1], b);
        await gate.query('ROLLBACK');
        expect((await waiting).text).toContain(`"rejected":0`);
        // Of two that both happened, only the one that nobody else is behind is told.
        expect((await stream.take(1)).map(nameOf)).toEqual([`${a} 3`]);
        await other.query('ROLLBACK');
      }),
    );
    expect((await stream.take(2)).map(nameOf)).toEqual([`${b} 3`, `${b} 4`]);
    stream.close();
  });

  it('[E3] 200 connections while events flow find no gap and no repeat between what was and what comes', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const from = await anId();
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await pair.admins[1].post('/v1/ingest', [aStepStart(run.id), aStepStart(run.id)]);
    })();
    for (let round = 1; round <= 8; round++) {
      const streams = await Promise.all(upTo(25).map(() => follow(pair.first, from)));
      for (const stream of streams) {
        expect((await stream.take(round * 5)).map(({ data }) => data.seq)).toEqual(
          upTo(2 + round * 5).slice(2),
        );
        stream.close();
      }
    }
    isWriting = false;
    await writing;
  }, 120_000);

  it('[E4] the listeners are killed again and again, and what the other instance writes is told all the same', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await follow(pair.first);
    for (let i = 0; i < 6; i++) {
      await killListeners(pair.first.database, 2);
      await things.aStep(pair.admins[1], run.id);
      expect((await stream.take(1)).map(({ data }) => data.seq)).toEqual([3 + i]);
    }
    stream.close();
  }, 60_000);

  it('[E13] a stream whose database fails ends without a word, and goes on from its last event', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const stream = await follow(pair.first);
    await connected(pair.first.database.adminUrl, async (client) => {
      await client.query('ALTER TABLE run_events RENAME TO run_events_away');
      expect(await stream.rest()).toEqual([]);
      await client.query('ALTER TABLE run_events_away RENAME TO run_events');
    });
    expect(stream.text).not.toContain('error');
    await things.aStep(pair.admins[0], run.id);
    const again = await follow(pair.second, stream.lastId);
    expect((await again.take(1)).map(({ data }) => data.seq)).toEqual([3]);
    again.close();
  });

  it('[E8] streams that break off leave nobody behind', async () => {
    const { followers } = pair.first.news;
    const streams = await Promise.all(upTo(30).map(() => follow(pair.first)));
    expect(followers.size).toBeGreaterThanOrEqual(30);
    for (const stream of streams) stream.close();
    const until = performance.now() + 10_000;
    while (followers.size > 0 && performance.now() < until) await pair.admins[0].get('/v1/me');
    expect(followers.size).toBe(0);
  });
});
