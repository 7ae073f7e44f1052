import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { bytes, protobufOf } from '../support/otlp-protobuf.js';
import {
  MEDIA_TYPES,
  aSpan,
  aTraceId,
  attributesOf,
  exportTo,
  requestOf,
  type Encoding,
} from '../support/otlp.js';

const MOST = 20 * 1024 * 1024;
const many = (count: number, one: string): string => Array<string>(count).fill(one).join(',');
const times = (count: number, hex: string): Buffer => Buffer.from(hex.repeat(count), 'hex');
const inRecords = (records: Buffer): Buffer => bytes(1, bytes(2, records));

/** Requests of a few kilobytes, inflated to as much as may be, in which the same small thing stands millions of times. */
const REQUESTS: [what: string, path: string, encoding: Encoding, body: () => Buffer | string][] = [
  ['spans', '/v1/traces', 'protobuf', () => inRecords(times(MOST / 2 - 20, '1200'))],
  ['groups', '/v1/traces', 'protobuf', () => times(MOST / 2, '0a00')],
  ['scopes', '/v1/traces', 'protobuf', () => bytes(1, times(MOST / 2 - 20, '1200'))],
  ['log records', '/v1/logs', 'protobuf', () => inRecords(times(MOST / 2 - 20, '1200'))],
  [
    'spans',
    '/v1/traces',
    'json',
    () => `{"resourceSpans":[{"scopeSpans":[{"spans":[${many(6_900_000, '{}')}]}]}]}`,
  ],
  ['groups', '/v1/traces', 'json', () => `{"resourceSpans":[${many(6_900_000, '{}')}]}`],
  ['numbers', '/v1/traces', 'json', () => `{"resourceSpans":[${many(10_000_000, '1')}]}`],
  [
    'log records',
    '/v1/logs',
    'json',
    () => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${many(6_900_000, '{}')}]}]}]}`,
  ],
  ['records of OpenAI', '/openai/v1/traces/ingest', 'json', () => `{"data":[${many(6_900_000, '{}')}]}`],
  [
    'events of Langfuse',
    '/langfuse/api/public/ingestion',
    'json',
    () => `{"batch":[${many(6_900_000, '{}')}]}`,
  ],
  ['runs of LangSmith', '/langsmith/runs/batch', 'json', () => `{"post":[${many(5_001, '{}')}]}`],
];

describe('small requests that come to millions of things', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const send = (path: string, mediaType: string, body: Buffer | string): Promise<Response> =>
    fetch(api.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.adminKey}`,
        'content-type': mediaType,
        'content-encoding': 'gzip',
      },
      body: gzipSync(body),
    });

  it.each(REQUESTS)(
    '[R2] [R3] Millions of %s at %s in %s are too many',
    async (_what, path, encoding, body) => {
      expect((await send(path, MEDIA_TYPES[encoding], body())).status).toBe(413);
    },
    30_000,
  );

  it.each([
    ['/v1/ingest', (item: string) => `[${item},5]`],
    ['/langsmith/runs/batch', (item: string) => `{"post":[${item},5]}`],
    ['/openai/v1/traces/ingest', (item: string) => `{"data":[${item},5]}`],
    ['/langfuse/api/public/ingestion', (item: string) => `{"batch":[${item},5]}`],
  ])('[R3] At %s what is absurdly deep or wide is refused by itself', async (path, around) => {
    const wide = Object.fromEntries(Array.from({ length: 1_500 }, (_one, i) => [`k${i}`, i]));
    for (const item of [`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, JSON.stringify(wide)]) {
      const answer = await send(path, 'application/json', around(item));
      const { results, refused, errors } = (await answer.json()) as Record<string, unknown[]>;
      expect([path, answer.status, (results ?? refused ?? errors)?.length]).toEqual([
        path,
        expect.any(Number),
        2,
      ]);
      expect(answer.ok).toBe(true);
    }
  });

  it('[R3] A record more than a batch may have is too much for LangSmith, and not malformed', async () => {
    const answer = await send('/langsmith/runs/batch', 'application/json', `{"post":[${many(5_001, '{}')}]}`);
    expect(await answer.json()).toMatchObject({ status: 413, code: 'request_too_large' });
  });

  it('[R3] A multipart body of 100,000 parts is too large', async () => {
    const body = `${'--b\r\n\r\n\r\n'.repeat(100_000)}--b--\r\n`;
    expect((await send('/langsmith/runs/multipart', 'multipart/form-data; boundary=b', body)).status).toBe(
      413,
    );
  });

  it.each([
    ['json', 'events', { events: Array(100_000).fill({ name: 'gen_ai.user.message' }) }],
    ['protobuf', 'events', { events: Array(100_000).fill({ name: 'gen_ai.user.message' }) }],
    ['json', 'attributes', { more: Array(100_000).fill({}) }],
    ['protobuf', 'attributes', { more: Array(100_000).fill({ key: 'a', value: {} }) }],
  ] as const)(
    '[R3] In %s a span with 100,000 %s is rejected, and its neighbour is not',
    async (encoding, _what, members) => {
      const traceId = aTraceId();
      const answer = await exportTo(api, [aSpan(traceId, { ...members }), aSpan(traceId)], { encoding });
      expect([answer.status, answer.rejected]).toEqual([200, 1]);
      expect(answer.message).toContain('more than 40000 parts');
    },
    30_000,
  );

  it('[R3] A call of a model that is told with more messages than one can have is rejected by itself, and its root is kept', async () => {
    const traceId = aTraceId();
    const said = `[${many(6_000, '{"role":"user","content":"x"}')}]`;
    const root = aSpan(traceId);
    const call = aSpan(traceId, {
      parentSpanId: root.spanId,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': said },
    });
    const answer = await exportTo(api, [call, root]);
    expect([answer.status, answer.rejected]).toEqual([200, 1]);
    expect(answer.message).toContain('more than 5000 messages');
  });

  it('[R3] Spans that come to more items than are taken at once are refused together', async () => {
    const traceId = aTraceId();
    const spans = Array.from({ length: 11 }, (_one, i) => {
      const said = Array.from({ length: 4_990 }, (_said, n) => ({ role: 'user', content: `${i} ${n}` }));
      return aSpan(traceId, {
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(said) },
      });
    });
    expect((await exportTo(api, spans)).status).toBe(413);
  });

  it('[R3] What a library can send at most is taken: twenty thousand spans, and attributes of any number', async () => {
    const traceId = aTraceId();
    const spans = Array.from({ length: 20_000 }, () => ({}));
    expect((await exportTo(api, protobufOf(requestOf(spans)), { encoding: 'protobuf' })).rejected).toBe(
      20_000,
    );
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_one, i) => [`a${i}`, i]));
    const answer = await exportTo(api, [
      aSpan(traceId, { attributes: wide }),
      aSpan(traceId, { more: attributesOf(wide) }),
    ]);
    expect([answer.status, answer.rejected]).toEqual([200, 0]);
  });
});
