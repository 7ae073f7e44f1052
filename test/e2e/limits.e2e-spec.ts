import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { anApi, type TestApi } from '../support/api.js';
import { head, rawExchange, type RawExchange } from '../support/raw-http.js';

const LIMIT = 256 * 1024;
const CHUNK = 16 * 1024;

describe('the size of a request', () => {
  let api: TestApi;
  /** The server's end of every connection. */
  const sockets: Socket[] = [];
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_REQUEST_BYTES: String(LIMIT) });
    (api.app.getHttpServer() as Server).on('connection', (socket) => sockets.push(socket));
  });
  afterAll(() => api.close());

  const JSON_TYPE = 'Content-Type: application/json';
  const post = (...headers: string[]): string =>
    head('POST', '/v1/projects', api.adminKey, JSON_TYPE, ...headers);

  /** A valid body of so many bytes: what is beyond the name is white space. */
  function* bodyOf(bytes: number): Generator<Buffer> {
    const start = Buffer.from(JSON.stringify({ name: `project of ${bytes} bytes ${Math.random()}` }));
    yield start;
    for (let left = bytes - start.length; left > 0; left -= CHUNK)
      yield Buffer.alloc(Math.min(CHUNK, left), ' ');
  }

  function* sized(bytes: number, declared = bytes): Generator<string | Buffer> {
    yield post(`Content-Length: ${declared}`);
    yield* bodyOf(bytes);
  }

  function* chunked(bytes: number): Generator<string | Buffer> {
    yield post('Transfer-Encoding: chunked');
    for (const part of bodyOf(bytes)) {
      yield Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
    }
    yield '0\r\n\r\n';
  }

  const statusOf = ({ answers }: RawExchange): number | undefined => answers[0]?.status;
  const codeOf = ({ answers }: RawExchange): string => JSON.parse(answers[0]?.text ?? '{}').code as string;

  describe.each([
    ['with a Content-Length', sized],
    ['in chunks', chunked],
  ])('%s', (_how, request) => {
    it('[R1] A body up to the limit is read, to the last byte', async () => {
      for (const bytes of [LIMIT - 1, LIMIT]) {
        const exchange = await rawExchange(api.url, request(bytes));
        expect([statusOf(exchange), exchange.isClosed]).toEqual([201, false]);
      }
    });

    it('[R1] A body over the limit gets 413, which arrives though the client still sends, and is not read on', async () => {
      for (const bytes of [LIMIT + 1, 10 * LIMIT, 100 * LIMIT]) {
        const before = sockets.length;
        const exchange = await rawExchange(api.url, request(bytes));
        expect([bytes, statusOf(exchange), codeOf(exchange)]).toEqual([bytes, 413, 'request_too_large']);
        expect(exchange.isClosed).toBe(true);
        const read = sockets.slice(before).reduce((sum, socket) => sum + socket.bytesRead, 0);
        expect(read).toBeLessThan(LIMIT + 64 * 1024);
      }
    });
  });

  it('[R1] Clients that send and read at once get the 413 too', async () => {
    for (const times of [2, 10, 40]) {
      const body = Buffer.alloc(times * LIMIT, ' ');
      const answer = await fetch(`${api.url}/v1/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.adminKey}`, 'content-type': 'application/json' },
        body,
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        413,
        'request_too_large',
      ]);
    }
  });

  it('[R1] A Content-Length that promises more than comes is refused when the client is done', async () => {
    const exchange = await rawExchange(api.url, sized(100, 200), { isEnding: true });
    expect([statusOf(exchange), codeOf(exchange), exchange.isClosed]).toEqual([400, 'invalid_request', true]);
  });

  it('[R1] What comes beyond the Content-Length is no part of the request, and no request', async () => {
    const parts = [post('Content-Length: 2'), '{}', '{"name":"smuggled"}'];
    const exchange = await rawExchange(api.url, parts, { answers: 2 });
    expect([statusOf(exchange), exchange.isClosed]).toEqual([400, true]);
    expect((await api.admin.get('/v1/projects')).text).not.toContain('smuggled');
  });

  it('[R1] Two lengths, or a length that is none, are refused, and the connection is closed', async () => {
    const wrong = ['-1', '+5', '5x', '0x5', '1e2', '5, 5', '99999999999999999999', ''].map((length) => [
      `Content-Length: ${length}`,
    ]);
    const both = [
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked, identity'],
      ['Transfer-Encoding: xchunked'],
    ];
    for (const headers of [...wrong, ...both]) {
      const exchange = await rawExchange(api.url, [post(...headers), '5\r\nhello\r\n0\r\n\r\n'], {
        isEnding: true,
      });
      expect([headers, statusOf(exchange), exchange.isClosed]).toEqual([headers, 400, true]);
    }
  });

  it('[R1] A client that leaves in the middle of a body leaves neither a row nor a fault in the log', async () => {
    const logged = api.log.length;
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(api.url).port) });
    const before = sockets.length;
    socket.write(post('Content-Length: 1000') + '{"name":"unfinished');
    while (sockets.length === before || (sockets.at(-1) as Socket).bytesRead === 0) await delay(5);
    socket.destroy();
    while (!(sockets.at(-1) as Socket).destroyed) await delay(5);
    expect((await api.admin.get('/v1/projects')).text).not.toContain('unfinished');
    const levels = api.log.slice(logged).map((line) => (JSON.parse(line) as { level: number }).level);
    expect(levels.filter((level) => level > 30)).toEqual([]);
  });
});
