import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { aRunStart } from '../support/items.js';

const MOST = 256 * 1024;
const MIB = 1024 * 1024;
const LINES = { 'content-type': 'application/x-ndjson' };

describe('bodies of batches', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_BATCH_BYTES: String(MOST) });
  });
  afterAll(() => api.close());

  async function send(body: string | Buffer, headers: Record<string, string> = {}) {
    const response = await fetch(`${api.url}/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.adminKey}`, 'content-type': 'application/json', ...headers },
      body,
    });
    const answer = JSON.parse(await response.text());
    return { status: response.status, code: answer.code, counts: answer.counts, body: answer };
  }
  const whole = (): string => JSON.stringify([aRunStart(randomUUID())]);
  const padded = (bytes: number): Buffer => {
    const body = Buffer.alloc(bytes, ' ');
    body.write(whole());
    return body;
  };

  it.each([
    ['nothing', '', 400],
    ['no JSON', '[{', 400],
    ['an object', '{}', 400],
    ['a text', '"[]"', 400],
    ['null', 'null', 400],
    ['more than one value', '[] []', 400],
    ['an array of nothing', '[]', 200],
    ['white space around', ' [ ] ', 200],
    ['a byte that is no UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), 400],
  ])('A body that is %s', async (_what, body, status) => {
    const answer = await send(body);
    expect([answer.status, answer.code ?? null]).toEqual([status, status === 200 ? null : 'malformed_json']);
  });

  it('A line that is no JSON is refused by itself, and empty lines are none', async () => {
    const [one, two] = [randomUUID(), randomUUID()].map((id) => JSON.stringify(aRunStart(id)));
    const { status, counts, body } = await send(`${one}\n{"type":\n\n[]\nnonsense\n${two}\r\n`, LINES);
    expect([status, counts.created, counts.rejected]).toEqual([200, 2, 3]);
    for (const { verdict, detail } of body.results) if (verdict === 'rejected') expect(detail).toMatch(/\w/);
  });

  it('5,001 items are one too many, as an array and as lines', async () => {
    expect((await send(`[${Array(5_001).fill(1).join(',')}]`)).status).toBe(413);
    expect((await send(Array(5_001).fill(1).join('\n'), LINES)).status).toBe(413);
    expect((await send(`[${Array(5_000).fill(1).join(',')}]`)).counts.rejected).toBe(5_000);
  });

  it.each([
    [-1, 200],
    [0, 200],
    [1, 413],
    [9 * MOST, 413],
  ])('[R1] A body of the limit and %i bytes, plain and inflated', async (more, status) => {
    expect((await send(padded(MOST + more))).status).toBe(status);
    expect((await send(gzipSync(padded(MOST + more)), { 'content-encoding': 'gzip' })).status).toBe(status);
  });

  it('[R2] Small bodies that become large ones are refused, and memory does not follow them', async () => {
    const bombs = [
      gzipSync(Buffer.alloc(50 * MIB, ' ')),
      Buffer.concat(Array(200).fill(gzipSync(Buffer.alloc(MIB, ' ')))),
    ];
    await send(bombs[0] as Buffer, { 'content-encoding': 'gzip' });
    global.gc?.();
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 10; i++) {
      for (const bomb of bombs) expect((await send(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    }
    // The test itself holds what it sends; inflated it would have been two and a half gigabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  });

  it.each<[string, (body: Buffer) => Buffer, string, number]>([
    ['gzip', gzipSync, 'gzip', 200],
    ['gzip in capitals', gzipSync, 'GZIP', 200],
    [
      'gzip of two members',
      (b) => Buffer.concat([gzipSync(b.subarray(0, 5)), gzipSync(b.subarray(5))]),
      'gzip',
      200,
    ],
    ['gzip of gzip', (b) => gzipSync(gzipSync(b)), 'gzip', 400],
    ['gzip that is cut off', (b) => gzipSync(b).subarray(0, -4), 'gzip', 400],
    [
      'gzip with a wrong checksum',
      (b) => Buffer.concat([gzipSync(b).subarray(0, -8), Buffer.alloc(8)]),
      'gzip',
      400,
    ],
    ['gzip with bytes behind it', (b) => Buffer.concat([gzipSync(b), Buffer.from('behind')]), 'gzip', 400],
    ['gzip with zeros behind it', (b) => Buffer.concat([gzipSync(b), Buffer.alloc(9)]), 'gzip', 400],
    ['no gzip', (b) => b, 'gzip', 400],
    ['nothing, said to be gzip', () => Buffer.alloc(0), 'gzip', 400],
    ['plain, said to be so', (b) => b, 'identity', 200],
    ['brotli', brotliCompressSync, 'br', 415],
    ['deflate', deflateSync, 'deflate', 415],
    ['zstd', (b) => b, 'zstd', 415],
    ['gzip twice', (b) => gzipSync(gzipSync(b)), 'gzip, gzip', 415],
  ])('[R2] %s', async (_what, coded, coding, status) => {
    const answer = await send(coded(Buffer.from(whole())), { 'content-encoding': coding });
    expect(answer.status).toBe(status);
  });

  it.each(['text/plain', 'application/xml', 'application/json; charset=latin1', 'multipart/form-data'])(
    '[V8] A body that is said to be %s is refused',
    async (type) => {
      expect((await send(whole(), { 'content-type': type })).status).toBe(415);
    },
  );
});

describe('wide bodies of batches', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it.each([
    ['200,000 tags', { tags: Array(200_000).fill('x') }, '/tags'],
    [
      'metadata with 100,000 members',
      { metadata: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 0])) },
      '/metadata',
    ],
    ['a name of a megabyte', { name: 'x'.repeat(MIB) }, '/name'],
  ])('[R3] %s refuse their item in a few words', async (_what, members, pointer) => {
    const answer = await api.admin.post('/v1/ingest', [
      aRunStart(randomUUID(), members),
      aRunStart(randomUUID()),
    ]);
    expect(answer.body.results.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'rejected',
      'created',
    ]);
    expect(answer.body.results[0].pointer).toBe(pointer);
    expect(answer.text.length).toBeLessThan(8 * 1024);
  });

  it.each([
    ['an agent that is 200,000 numbers', { agent: Array(200_000).fill(1) }],
    ['100,000 unknown members', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 0]))],
  ])('[R3] More members than any item has are read by nobody: %s', async (_what, members) => {
    const answer = await api.admin.post('/v1/ingest', [aRunStart(randomUUID(), members)]);
    if (answer.status === 200) expect(answer.body.counts.rejected).toBe(1);
    else expect([400, 413]).toContain(answer.status);
    expect(answer.text.length).toBeLessThan(8 * 1024);
  });

  it('[R3] A payload of 200,000 elements is kept', async () => {
    const run = randomUUID();
    const input = Array(200_000).fill('x');
    await api.admin.post('/v1/ingest', [aRunStart(run, { input })]);
    expect((await api.admin.get(`/v1/runs/${run}`)).body.input).toEqual(input);
  });
});
