import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { dice } from '../support/dice.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { head } from '../support/raw-http.js';
import * as things from '../support/things.js';
import { openWebSocket, type OpenWebSocket } from '../support/web-sockets.js';

let pair: ApiPair;
beforeAll(async () => {
  pair = await aPairOfApis();
});
afterAll(() => pair.close());

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${pair.first.adminKey}` });
const socketTo = (runId: string, after = 0, at = pair.first): Promise<OpenWebSocket> =>
  openWebSocket(at, `/ws/execution/${runId}?after=${after}`, bearer());

/** A connection on which a WebSocket was accepted, and nothing is read any more. */
async function aRawSocket(runId: string): Promise<Socket> {
  const { hostname, port } = new URL(pair.first.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  const asked = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = `Sec-WebSocket-Key: ${Buffer.from('0123456789abcdef').toString('base64')}`;
  socket.write(head('GET', `/ws/execution/${runId}`, pair.first.adminKey, ...asked, key));
  await once(socket, 'data');
  return socket.pause();
}

/** Whether the condition comes true; each look costs a request. */
async function comesTrue(holds: () => boolean): Promise<boolean> {
  const until = performance.now() + 10_000;
  while (!holds() && performance.now() < until) await pair.admins[0].get('/v1/me');
  return holds();
}

const frame = (first: number, length: number[], ...rest: number[]): Buffer =>
  Buffer.from([first, ...length, ...[1, 2, 3, 4], ...rest]);

/** What a client may do to a WebSocket that it was given, and with which code it is closed; undefined when it lives on. */
const HOSTILE: Record<string, { sent: Buffer; code: number | undefined }> = {
  'a text': { sent: frame(0x81, [0x82], 0x69 ^ 1, 0x69 ^ 2), code: undefined },
  bytes: { sent: frame(0x82, [0x82], 0xff, 0x00), code: undefined },
  'a text that is no UTF-8': { sent: frame(0x81, [0x82], 0xff ^ 1, 0xfe ^ 2), code: 1007 },
  'a frame without a mask': { sent: Buffer.from([0x81, 0x01, 0x61]), code: 1002 },
  'an unknown opcode': { sent: frame(0x83, [0x80]), code: 1002 },
  'reserved bits': { sent: frame(0xf1, [0x80]), code: 1002 },
  'a continuation of nothing': { sent: frame(0x80, [0x80]), code: 1002 },
  'a large message': { sent: frame(0x82, [0xfe, 0x20, 0x00]), code: 1009 },
  'a message without an end': { sent: frame(0x82, [0xff, 0, 0, 1, 0, 0, 0, 0, 0]), code: 1009 },
  'more than JavaScript can count': {
    sent: frame(0x82, [0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
    code: 1009,
  },
  'a large ping': { sent: frame(0x89, [0xfe, 0x10, 0x00]), code: 1002 },
  'fragments without an end': {
    sent: Buffer.concat([frame(0x02, [0x80]), ...upTo(1_000).map(() => frame(0x00, [0x80]))]),
    code: 1008,
  },
  'messages without an end': { sent: Buffer.concat(upTo(2_000).map(() => frame(0x81, [0x80]))), code: 1008 },
  'pings without an end': { sent: Buffer.concat(upTo(2_000).map(() => frame(0x89, [0x80]))), code: 1006 },
  'a close with a code that is none': { sent: frame(0x88, [0x82], 1, 2), code: 1002 },
  'an answer that is HTTP': { sent: Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n'), code: 1002 },
};

describe('WebSockets of a run', () => {
  it.each(Object.entries(HOSTILE))(
    '[E8] %s from a client ends its own WebSocket at most',
    async (_, { sent, code }) => {
      const run = await things.aRunningRun(pair.admins[0]);
      const [hostile, other] = [await socketTo(run.id), await socketTo(run.id)];
      await hostile.take(1);
      (hostile.socket as unknown as { _socket: Socket })._socket.write(sent);
      if (code !== undefined) expect((await hostile.closed)[0]).toBe(code);
      await things.aStep(pair.admins[1], run.id);
      expect((await other.take(2)).map(({ type }) => type)).toEqual(['workflow_start', 'step_start']);
      if (code === undefined) expect(await hostile.take(1)).toMatchObject([{ type: 'step_start' }]);
      for (const one of [hostile, other]) one.close();
      expect(await comesTrue(() => pair.first.news.followers.size === 0)).toBe(true);
    },
  );

  it('[E1 E3] 2,000 events by two instances, eight readers who leave and come again at either: each reads all, in order', async () => {
    const id = randomUUID();
    await pair.admins[0].post('/v1/ingest', [aRunStart(id)]);
    const readers = upTo(8).map(async (seed) => {
      const throwOf = dice(seed);
      const seen: number[] = [];
      for (;;) {
        const at = throwOf() < 0.5 ? pair.first : pair.second;
        const socket = await socketTo(id, seen.at(-1) ?? 0, at);
        const told = await socket.take(1 + Math.floor(throwOf() * 400));
        seen.push(...told.map(({ seq }) => Number(seq)));
        if (throwOf() < 0.5) socket.socket.terminate();
        else socket.close();
        if (told.at(-1)?.type === 'workflow_end') return seen;
      }
    });
    for (let batch = 0; batch < 10; batch++) {
      const items = upTo(200).map(() => aStepStart(id));
      const answer = await pair.admins[batch % 2 === 0 ? 0 : 1].post('/v1/ingest', items);
      expect(answer.text).toContain(`"rejected":0`);
    }
    expect((await pair.admins[0].post(`/v1/runs/${id}/succeed`, {})).status).toBe(200);
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(upTo(2_003).slice(1));
  }, 120_000);

  it('[E6] readers who do not read cost no memory and hold nobody up', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const sockets = new Set<Socket>();
    (pair.first.app.getHttpServer() as Server).on('connection', (socket: Socket) => sockets.add(socket));
    const idle = await Promise.all(upTo(10).map(() => aRawSocket(run.id)));
    const awake = await socketTo(run.id);
    await awake.take(1);
    let pending = 0;
    const text = 'z'.repeat(400_000);
    for (let i = 0; i < 30; i++) {
      await things.aStep(pair.admins[1], run.id, { input: text, output: text, status: 'succeeded' });
      expect((await awake.take(2)).map(({ type }) => type)).toEqual(['step_end', 'step_complete']);
      pending = Math.max(pending, ...[...sockets].map(({ writableLength }) => writableLength));
    }
    // Of one step two messages with all of it, of the 60 MB that there are.
    expect(pending).toBeLessThan(4 * 1024 * 1024);
    for (const socket of idle) socket.destroy();
    awake.close();
    expect(await comesTrue(() => pair.first.news.followers.size === 0)).toBe(true);
  }, 120_000);

  it('[E8] 1,000 WebSockets that break off in whatever moment leave nobody behind', async () => {
    const run = await things.aRunningRun(pair.admins[0]);
    const server = pair.first.app.getHttpServer() as Server;
    const throwOf = dice(11);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        upTo(50).map(async () => {
          const key = throwOf() < 0.3 ? 'af_org_wrong' : pair.first.adminKey;
          const path = `${pair.first.url.replace('http', 'ws')}/ws/execution/${run.id}`;
          const socket = new WebSocket(path, { headers: { authorization: `Bearer ${key}` } });
          socket.on('error', () => undefined);
          const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
          if (throwOf() < 0.3) setImmediate(() => socket.terminate());
          else if (throwOf() < 0.5) socket.once('open', () => socket.terminate());
          else socket.once('message', () => (throwOf() < 0.5 ? socket.close() : socket.terminate()));
          socket.once('unexpected-response', () => socket.terminate());
          await gone;
        }),
      );
    }
    expect(await comesTrue(() => pair.first.news.followers.size === 0)).toBe(true);
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      });
    let left = await connections();
    expect(await comesTrue(() => (void connections().then((count) => (left = count)), left <= 20))).toBe(
      true,
    );
    const socket = await socketTo(run.id);
    expect(await socket.take(1)).toMatchObject([{ type: 'workflow_start' }]);
    socket.close();
  }, 120_000);
});
