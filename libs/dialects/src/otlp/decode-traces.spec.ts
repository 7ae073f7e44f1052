import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { decodeJsonTraces } from './decode-json.js';
import { decodeProtobufTraces } from './decode-protobuf.js';
import type { AttributeValue, Span, TracesReading } from './span.js';

/*
 * The wire format, written down a second time and the other way round: a request as JSON is brought into protobuf.
 */

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
};
const tagged = (field: number, wire: number, content: Buffer): Buffer =>
  Buffer.concat([varint(BigInt(field * 8 + wire)), content]);
const inBytes = (field: number, content: Buffer): Buffer =>
  tagged(field, 2, Buffer.concat([varint(BigInt(content.length)), content]));
const inText = (field: number, text: string): Buffer => inBytes(field, Buffer.from(text));
const inFixed64 = (field: number, value: string): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return tagged(field, 1, bytes);
};
const inDouble = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return tagged(field, 1, bytes);
};

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a request in JSON, of any shape

const encodeAny = (value: Json): Buffer => {
  if ('stringValue' in value) return inText(1, value.stringValue);
  if ('boolValue' in value) return tagged(2, 0, varint(value.boolValue ? 1n : 0n));
  if ('intValue' in value) return tagged(3, 0, varint(BigInt(value.intValue)));
  if ('doubleValue' in value) return inDouble(4, Number(value.doubleValue));
  if ('arrayValue' in value) {
    return inBytes(
      5,
      Buffer.concat(value.arrayValue.values.map((item: Json) => inBytes(1, encodeAny(item)))),
    );
  }
  if ('kvlistValue' in value) return inBytes(6, encodePairs(1, value.kvlistValue.values));
  if ('bytesValue' in value) return inBytes(7, Buffer.from(value.bytesValue, 'base64'));
  return Buffer.alloc(0);
};
const encodePairs = (field: number, pairs: Json[] = []): Buffer =>
  Buffer.concat(
    pairs.map(({ key, value }) =>
      inBytes(field, Buffer.concat([inText(1, key), inBytes(2, encodeAny(value))])),
    ),
  );
const encodeSpan = (span: Json): Buffer =>
  Buffer.concat([
    inBytes(1, Buffer.from(span.traceId, 'hex')),
    inBytes(2, Buffer.from(span.spanId, 'hex')),
    inBytes(4, Buffer.from(span.parentSpanId ?? '', 'hex')),
    inText(5, span.name),
    tagged(6, 0, varint(BigInt(span.kind ?? 0))),
    inFixed64(7, span.startTimeUnixNano ?? '0'),
    inFixed64(8, span.endTimeUnixNano ?? '0'),
    encodePairs(9, span.attributes),
    ...(span.events ?? []).map((event: Json) =>
      inBytes(
        11,
        Buffer.concat([
          inFixed64(1, event.timeUnixNano),
          inText(2, event.name),
          encodePairs(3, event.attributes),
        ]),
      ),
    ),
    inBytes(
      15,
      Buffer.concat([
        inText(2, span.status?.message ?? ''),
        tagged(3, 0, varint(BigInt(span.status?.code ?? 0))),
      ]),
    ),
  ]);
const encodeRequest = ({ resourceSpans }: Json): Buffer =>
  Buffer.concat(
    resourceSpans.map(({ resource, scopeSpans }: Json) =>
      inBytes(
        1,
        Buffer.concat([
          inBytes(1, encodePairs(1, resource?.attributes)),
          ...scopeSpans.map(({ scope, spans }: Json) =>
            inBytes(
              2,
              Buffer.concat([
                inBytes(1, Buffer.concat([inText(1, scope?.name ?? ''), inText(2, scope?.version ?? '')])),
                ...spans.map((span: Json) => inBytes(2, encodeSpan(span))),
              ]),
            ),
          ),
        ]),
      ),
    ),
  );

const inBoth = (request: Json): [json: TracesReading, protobuf: TracesReading] => [
  decodeJsonTraces(JSON.stringify(request)),
  decodeProtobufTraces(encodeRequest(request)),
];
const spansOf = (reading: TracesReading): Span[] => (reading.ok ? reading.spans : []);
const aSpan = (span: Json = {}): Json => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'chat',
  ...span,
});
const aRequest = (...spans: Json[]): Json => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../test/fixtures/drop-in/${name}`, import.meta.url));

const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor.prototype.x', 'a.b', 'a', ''));
const anyValue = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ stringValue: fc.string({ unit: 'binary' }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
    // JSON.stringify, which writes the request here, makes 0 of -0.
    fc.record({ doubleValue: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0) }),
    fc.record({
      bytesValue: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    }),
    fc.constant({}),
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: names, value: tie('value') }), { maxLength: 3 }),
      }),
    }),
  ),
}));
const attributes = fc.array(fc.record({ key: names, value: anyValue.value }), { maxLength: 4 });
const nanos = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const hex = (bytes: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((all) => Buffer.from(all).toString('hex'))
    .filter((id) => !/^0*$/.test(id));
const requests = fc
  .array(
    fc.record({
      traceId: hex(16),
      spanId: hex(8),
      parentSpanId: fc.option(hex(8), { nil: undefined }),
      name: fc.string(),
      kind: fc.integer({ min: 0, max: 5 }),
      startTimeUnixNano: nanos,
      endTimeUnixNano: nanos,
      attributes,
      events: fc.array(fc.record({ timeUnixNano: nanos, name: fc.string(), attributes }), { maxLength: 2 }),
      status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: fc.string() }),
    }),
    { maxLength: 4 },
  )
  .chain((spans) =>
    attributes.map((resource) => ({
      resourceSpans: [
        { resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'ai', version: '6' }, spans }] },
      ],
    })),
  );

describe('the spans of an OTLP request', () => {
  it('The same request says the same in JSON and in protobuf, whatever its attributes are', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const [json, protobuf] = inBoth(request);
        expect(json).toEqual(protobuf);
        expect(spansOf(json)).toHaveLength(request.resourceSpans[0]?.scopeSpans[0]?.spans.length as number);
      }),
    );
  });

  it('Captured requests of real exporters are read whole, in JSON and in protobuf', () => {
    const js = decodeJsonTraces(fixture('langfuse-js.otlp.json').toString());
    const python = decodeProtobufTraces(fixture('langfuse-py.otlp.pb'));
    for (const reading of [js, python]) {
      expect(reading).toMatchObject({ ok: true, rejected: [] });
      const spans = spansOf(reading);
      expect(spans.length).toBeGreaterThan(1);
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
      expect(spans.every(({ startedAt, endedAt }) => startedAt > 0n && endedAt >= startedAt)).toBe(true);
      expect(spans.every(({ scope }) => scope.name === 'langfuse-sdk')).toBe(true);
      expect(spans.flatMap((span) => [...span.attributes.keys()])).toContain('langfuse.observation.type');
      expect(spans[0]?.resource.get('telemetry.sdk.name')).toBe('opentelemetry');
    }
  });

  it('A span with a bad id is rejected by itself; roots may say that they have no parent by zeros', () => {
    const bad = ['0'.repeat(32), '0af7651916cd43dd8448eb211c8031', `${'a'.repeat(34)}`];
    const request = aRequest(
      aSpan(),
      ...bad.map((traceId) => aSpan({ traceId })),
      aSpan({ spanId: '00' }),
      aSpan({ parentSpanId: 'b7ad' }),
      aSpan({ parentSpanId: '0'.repeat(16) }),
    );
    for (const reading of inBoth(request)) {
      expect(spansOf(reading).map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
      expect(reading).toMatchObject({
        rejected: [
          'traceId is all zeros',
          'traceId has to be 16 bytes',
          'traceId has to be 16 bytes',
          'spanId has to be 8 bytes',
          'parentSpanId has to be 8 bytes',
        ],
      });
    }
    const base64 = aRequest(aSpan({ traceId: Buffer.alloc(16, 7).toString('base64') }));
    expect(decodeJsonTraces(JSON.stringify(base64))).toMatchObject({
      spans: [],
      rejected: ['traceId has to be 16 bytes'],
    });
  });

  it('JSON: numbers of 64 bits as texts and as numbers are exact, ids in any case, names of enums are known', () => {
    const text = `{"resourceSpans":[{"unknown":[1],"scopeSpans":[{"spans":[{
      "traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"B7AD6B7169203331","name":"say \\"1234567890123456789\\"",
      "kind":"SPAN_KIND_CLIENT","startTimeUnixNano":1795966532747000001,"endTimeUnixNano":"1795966532747000002",
      "status":{"code":"STATUS_CODE_ERROR"},"attributes":[
        {"key":"a","value":{"intValue":9007199254740993}},{"key":"b","value":{"intValue":"-9007199254740993"}},
        {"key":"c","value":{"doubleValue":0.12345678901234567}},{"key":"d","value":{"doubleValue":"NaN"}}]}]}]}],
      "resource_spans":[{}]}`;
    const [span] = spansOf(decodeJsonTraces(text)) as [Span];
    expect(span).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      name: 'say "1234567890123456789"',
      kind: 3,
      startedAt: 1795966532747000001n,
      endedAt: 1795966532747000002n,
      status: { code: 2 },
    });
    expect([...span.attributes.values()]).toEqual([
      9007199254740993n,
      -9007199254740993n,
      0.12345678901234567,
      NaN,
    ]);
  });

  it('Names that mean something to JavaScript are names, and of two values under one name the later stands', () => {
    const pairs = ['__proto__', 'constructor.prototype.x', 'a.b', 'a', '', 'a'].map((key, i) => ({
      key,
      value: { intValue: String(i) },
    }));
    for (const reading of inBoth(aRequest(aSpan({ attributes: pairs })))) {
      expect([...(spansOf(reading)[0] as Span).attributes]).toEqual([
        ['__proto__', 0n],
        ['constructor.prototype.x', 1n],
        ['a.b', 2n],
        ['a', 5n],
        ['', 4n],
      ]);
    }
    expect(({} as Json).x).toBeUndefined();
  });

  it('Values nested ten thousand deep reject their span and leave the others', () => {
    const nested = (depth: number): Json => {
      let value: Json = { stringValue: 'x' };
      for (let i = 0; i < depth; i++) value = { arrayValue: { values: [value] } };
      return [{ key: 'deep', value }];
    };
    for (const reading of inBoth(aRequest(aSpan({ attributes: nested(63) }), aSpan()))) {
      expect(reading).toMatchObject({ ok: true, rejected: [] });
    }
    const text = `{"arrayValue":{"values":[`.repeat(10_000) + ']}}'.repeat(10_000);
    const request = JSON.stringify(
      aRequest(aSpan({ attributes: [{ key: 'k', value: 'DEEP' }] }), aSpan()),
    ).replace('"DEEP"', text);
    expect(decodeJsonTraces(request)).toMatchObject({
      spans: [{ name: 'chat' }],
      rejected: ['values nest deeper than 64'],
    });
    let value = inText(1, 'x');
    for (let i = 0; i < 10_000; i++) value = inBytes(5, inBytes(1, value));
    const span = Buffer.concat([
      encodeSpan(aSpan()),
      inBytes(9, Buffer.concat([inText(1, 'k'), inBytes(2, value)])),
    ]);
    const deep = inBytes(1, inBytes(2, Buffer.concat([inBytes(2, span), inBytes(2, encodeSpan(aSpan()))])));
    expect(decodeProtobufTraces(deep)).toMatchObject({
      spans: [{ name: 'chat' }],
      rejected: ['values nest deeper than 64'],
    });
  });

  it('Bytes that are no protobuf are malformed, and no change of a byte is more than that', () => {
    for (const bytes of [[0xff], [0x0a, 0x05, 0x01], [0x0b], [0x07], [0x08, ...Array(11).fill(0xff)]]) {
      expect([bytes, decodeProtobufTraces(Buffer.from(bytes)).ok]).toEqual([bytes, false]);
    }
    const whole = encodeRequest(aRequest(aSpan({ attributes: [{ key: 'a', value: { stringValue: 'b' } }] })));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        expect(typeof decodeProtobufTraces(changed).ok).toBe('boolean');
        expect(typeof decodeProtobufTraces(changed.subarray(0, length)).ok).toBe('boolean');
      }),
    );
    for (const text of ['', '[]', 'null', '{"resourceSpans":', '1'])
      expect(decodeJsonTraces(text).ok).toBe(false);
    for (const text of ['{}', '{"resourceSpans":[null,1,[]]}', '{"resourceSpans":{}}']) {
      expect(decodeJsonTraces(text)).toEqual({ ok: true, spans: [], rejected: [] });
    }
    expect(decodeProtobufTraces(Buffer.alloc(0))).toEqual({ ok: true, spans: [], rejected: [] });
  });

  it('A text that is no UTF-8 rejects its span: it could only be kept altered', () => {
    const span = Buffer.concat([encodeSpan(aSpan()), inBytes(5, Buffer.from([0xc3, 0x28]))]);
    const body = inBytes(1, inBytes(2, inBytes(2, span)));
    expect(decodeProtobufTraces(body)).toMatchObject({ spans: [], rejected: ['a text is not UTF-8'] });
    const replacement: AttributeValue = '\ufffd';
    const kept = aRequest(aSpan({ name: replacement }));
    for (const reading of inBoth(kept)) expect(spansOf(reading)).toMatchObject([{ name: replacement }]);
  });
});
