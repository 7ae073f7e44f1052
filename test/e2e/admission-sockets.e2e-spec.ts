import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { MemoryBudget } from '../../apps/api/src/admission/memory-budget.js';
import { anApi, type TestApi } from '../support/api.js';
import { head } from '../support/raw-http.js';
import { aKey, anOrganization } from '../support/things.js';

const MIB = 1024 * 1024;
const WHOLE = 20 * MIB;

describe('clients that stay away', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const aHead = (key: string | undefined, length: number, ...more: string[]): string =>
    head('POST', '/v1/ingest', key, 'Content-Type: application/json', `Content-Length: ${length}`, ...more);

  async function connected(): Promise<Socket> {
    const socket = createConnection(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined); // The server may reset what it has not read.
    await once(socket, 'connect');
    return socket;
  }

  const bytesUnderWay = (): number => api.app.get(MemoryBudget).bytesUnderWay;

  /** A leak ends in the test's own time limit. */
  async function allIsGivenBack(): Promise<void> {
    while (bytesUnderWay() > 0) await aTurn();
  }

  /** Whether a batch of three megabytes of nothing is taken. */
  const takesMegabytes = async (key: string): Promise<number> =>
    (await api.as(key).post('/v1/ingest', `[${' '.repeat(3 * MIB)}]`)).status;

  it('[R1] Batches whose clients leave at whatever point take nothing of the memory for good', async () => {
    const bodies = [
      { body: gzipSync(Buffer.alloc(19_000_000, ' ')), more: ['Content-Encoding: gzip'] },
      { body: Buffer.alloc(2 * MIB, ' '), more: [] },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('at once', 'after a turn', 'as soon as it is written'),
        async ({ body, more }, part, when) => {
          const socket = await connected();
          const bytes = body.subarray(0, Math.ceil(part * body.length));
          socket.write(aHead(api.adminKey, body.length, ...more));
          if (when === 'as soon as it is written')
            await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
          else {
            socket.write(bytes);
            if (when === 'after a turn') await aTurn();
          }
          socket.destroy();
        },
      ),
      { numRuns: 60 },
    );
    for (const { body, more } of bodies) {
      for (let i = 0; i < 4; i++) {
        const socket = await connected();
        socket.write(aHead(api.adminKey, body.length, ...more));
        while (bytesUnderWay() === 0) await aTurn();
        await new Promise<void>((resolve) => socket.write(body, () => resolve()));
        socket.destroy();
      }
    }
    await allIsGivenBack();
    expect(await takesMegabytes(api.adminKey)).toBe(200);
  }, 60_000);

  it('[R7] Who has no key, or no right to send batches, is refused before the body and takes nothing', async () => {
    const { key } = await aKey(api.admin, { scope: 'organization', role: 'viewer' });
    for (const [given, status] of [
      [undefined, 401],
      ['af_org_wrong', 401],
      [key as string, 403],
    ] as const) {
      const socket = await connected();
      socket.write(aHead(given, WHOLE));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(bytesUnderWay()).toBe(0);
      socket.destroy();
    }
  });

  it('[R7] Clients that say much and send nothing keep no other organization from sending', async () => {
    const other = (await anOrganization(api.root)).api_key.key as string;
    const idle = await Promise.all(Array.from({ length: 8 }, connected));
    for (const socket of idle) socket.write(aHead(api.adminKey, WHOLE));
    while (bytesUnderWay() < WHOLE) await aTurn();
    expect(await takesMegabytes(other)).toBe(200);
    for (const socket of idle) socket.destroy();
    await allIsGivenBack();
  });
});
