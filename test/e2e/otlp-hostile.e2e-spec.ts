import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { everyOpening } from '../support/doors/openings.js';
import { bytes, head, protobufOf } from '../support/otlp-protobuf.js';
import {
  ENCODINGS,
  MEDIA_TYPES,
  aSpan,
  aTrace,
  aTraceId,
  attributesOf,
  exportTo,
  requestOf,
} from '../support/otlp.js';
import { shownTrace } from '../support/shown-trace.js';

const MOST = 1024 * 1024;
const KEYS = [
  ...[
    '__proto__',
    '__proto__.x',
    'constructor.prototype.x',
    'a.__proto__.b',
    '["__proto__"]',
    'prototype',
    'then',
  ],
  ...['toString', 'hasOwnProperty', '', '.', '..', 'a.b', 'a', '$', '\u{1F600}', 'k'.repeat(10_000)],
];

describe('OTLP that means harm', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_BATCH_BYTES: String(MOST) });
  });
  afterAll(() => api.close());

  describe.each(ENCODINGS)('in %s', (encoding) => {
    const mediaType = MEDIA_TYPES[encoding];

    it('[O9] [V9] Attributes of any name are kept under it, and change nothing else', async () => {
      const metadataOf = async (): Promise<unknown> => {
        const traceId = aTraceId();
        const [root, model] = aTrace(traceId);
        for (const key of KEYS) model?.attributes.push({ key, value: { stringValue: 'kept' } });
        const answer = await exportTo(api, [root as object, model as object], { encoding });
        expect([answer.status, answer.rejected]).toEqual([200, 0]);
        const run = await shownTrace(api.admin, traceId);
        expect(run.steps).toHaveLength(1);
        expect(Object.keys(run.steps[0].metadata.attributes)).toEqual(expect.arrayContaining(KEYS));
        return run.steps[0].metadata;
      };
      const metadata = await metadataOf();
      expect(await metadataOf()).toEqual(metadata);
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
      expect(({} as Record<string, unknown>)['b']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it('[O9] Of two attributes of one name always the same stands', async () => {
      const outcomes = new Set<string>();
      for (let i = 0; i < 3; i++) {
        const traceId = aTraceId();
        const [root, model] = aTrace(traceId);
        model?.attributes.push(...attributesOf({ d: 'one' }), ...attributesOf({ d: 'two' }));
        expect((await exportTo(api, [root as object, model as object], { encoding })).status).toBe(200);
        outcomes.add(JSON.stringify((await shownTrace(api.admin, traceId)).steps[0].metadata));
      }
      expect(outcomes.size).toBe(1);
    });

    it.each(['arrayValue', 'kvlistValue'])(
      '[O10] %s ten thousand deep rejects its span or its request, at once',
      async (kind) => {
        const traceId = aTraceId();
        const body = encoding === 'json' ? deepJson(traceId, kind) : deepProtobuf(traceId, kind);
        const begun = performance.now();
        const answer = await exportTo(api, body, { encoding });
        expect([answer.status, answer.rejected]).toEqual(answer.status === 200 ? [200, 1] : [400, 0]);
        expect(performance.now() - begun).toBeLessThan(2_000);
        expect((await api.admin.get('/livez')).status).toBe(200);
      },
    );

    it('[O10] Twenty thousand empty spans in one request are each rejected', async () => {
      const spans = Array.from({ length: 20_000 }, () => ({}));
      const body =
        encoding === 'json'
          ? JSON.stringify(requestOf(spans))
          : protobufOf(requestOf(spans.map(() => ({ name: undefined }))));
      const answer = await exportTo(api, body, { encoding, gzip: true });
      expect(answer.status === 413 || answer.rejected === 20_000).toBe(true);
    });

    it('[O12] A request may be as large as a batch, and not larger; inflated, too', async () => {
      for (const gzip of [false, true]) {
        for (const [more, status] of [
          [0, 200],
          [1, 413],
          [10 * MOST, 413],
        ] as const) {
          const answer = await exportTo(api, sized(MOST + more), { encoding, gzip });
          expect([gzip, more, answer.status]).toEqual([gzip, more, status]);
          if (status === 413)
            expect([answer.code, answer.mediaType]).toEqual([8, expect.stringContaining(mediaType)]);
        }
      }
    });

    /** A request of so many bytes. */
    function sized(bytes: number): Buffer {
      const of = (length: number): Buffer => {
        const spans = [
          aSpan('0af7651916cd43dd8448eb211c80319c', {
            spanId: '00000000000000a1',
            attributes: { pad: 'x'.repeat(length) },
          }),
        ];
        return encoding === 'json'
          ? Buffer.from(JSON.stringify(requestOf(spans)))
          : protobufOf(requestOf(spans));
      };
      const body = of(bytes - (of(20_000).length - 20_000));
      return body.length === bytes ? body : of(2 * bytes - (of(20_000).length - 20_000) - body.length);
    }

    it.each([
      ['cut off', (body: Buffer) => gzipSync(body).subarray(0, -9), 400],
      ['followed by something', (body: Buffer) => Buffer.concat([gzipSync(body), Buffer.from('x')]), 400],
      [
        'of several members',
        (body: Buffer) => Buffer.concat([gzipSync(body.subarray(0, 9)), gzipSync(body.subarray(9))]),
        200,
      ],
      ['not gzip at all', (body: Buffer) => body, 400],
    ])('[R2] Gzip that is %s', async (_what, gzipped, status) => {
      const spans = aTrace();
      const body =
        encoding === 'json' ? Buffer.from(JSON.stringify(requestOf(spans))) : protobufOf(requestOf(spans));
      const answer = await exportTo(api, gzipped(body), {
        encoding,
        headers: { 'content-encoding': 'gzip' },
      });
      expect([answer.status, answer.mediaType]).toEqual([status, expect.stringContaining(mediaType)]);
    });
  });

  it('[R5] A text that never ends is refused in no time, however many quotes it has', async () => {
    const begun = performance.now();
    const answer = await exportTo(api, `[1234567890123456,"${'\\"'.repeat(MOST / 4)}`);
    expect(answer.status).toBe(400);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it.each([
    ['a varint that never ends', Buffer.alloc(64, 0xff)],
    ['a length beyond the end', Buffer.from('0affffffff0f', 'hex')],
    ['a length beyond all numbers', Buffer.from('0affffffffffffffffff01', 'hex')],
    ['a group', Buffer.from('0b0b0b0b', 'hex')],
    ['a field without a number', Buffer.from('0001', 'hex')],
    ['cut in the middle', protobufOf(requestOf(aTrace())).subarray(0, -5)],
  ])('[O10] Protobuf with %s is refused or says nothing', async (_what, body) => {
    const answer = await exportTo(api, body, { encoding: 'protobuf' });
    expect([200, 400]).toContain(answer.status);
    expect((await api.admin.get('/livez')).status).toBe(200);
  });

  it('[O10] Fields of another wire type than theirs are passed over or refused', async () => {
    const body = protobufOf(requestOf(aTrace()));
    for (let i = 0; i < body.length; i += 7) {
      const altered = Buffer.from(body);
      altered.writeUInt8((body.readUInt8(i) & ~7) | ((body.readUInt8(i) + 1) & 7), i);
      expect([200, 400]).toContain((await exportTo(api, altered, { encoding: 'protobuf' })).status);
    }
  });

  it('[F8] After all of this every run can be listed and opened', async () => {
    expect(await everyOpening(api)).toEqual([]);
  });
});

const DEPTH = 10_000;

function deepJson(traceId: string, kind: string): string {
  const [open, close] =
    kind === 'arrayValue'
      ? ['{"arrayValue":{"values":[', ']}}']
      : ['{"kvlistValue":{"values":[{"key":"k","value":', '}]}}'];
  const value = `${open.repeat(DEPTH)}{"intValue":"1"}${close.repeat(DEPTH)}`;
  const span = JSON.stringify(aSpan(traceId)).replace(
    '"attributes":[',
    `"attributes":[{"key":"deep","value":${value}},`,
  );
  return JSON.stringify(requestOf([{ here: true }])).replace('{"here":true}', span);
}

function deepProtobuf(traceId: string, kind: string): Buffer {
  const key = bytes(1, Buffer.from('k'));
  // From the inside out; put together at the end, since copying what lies within at every level would take seconds.
  const parts: Buffer[] = [bytes(1, Buffer.from('deepest'))];
  let length = parts[0]?.length as number;
  const put = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (let i = 0; i < DEPTH; i++) {
    if (kind === 'kvlistValue') {
      put(head(2, length));
      put(key);
    }
    put(head(1, length));
    put(head(kind === 'arrayValue' ? 5 : 6, length));
  }
  const value = Buffer.concat(parts.reverse());
  return protobufOf(requestOf([aSpan(traceId, { more: [{ key: 'deep', value }] })]));
}
