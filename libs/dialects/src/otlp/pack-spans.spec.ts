import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aSpan, capturedSpans, langfuseSpans } from '../../../../test/support/captured-spans.js';
import type { LogRecord } from './log-record.js';
import { packLogs, packSpans, unpackLogs, unpackSpans } from './pack-spans.js';
import type { AttributeValue, Span } from './span.js';

const value = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map((members) => new Map(members)),
  ),
})).value;
const attributes = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), value, { maxKeys: 4 });

describe('spans that wait for more of their trace', () => {
  it('What came in protobuf stays in the bytes that it came in, in any order and from several requests', () => {
    const spans = langfuseSpans('langfuse-py.otlp.pb');
    for (const some of [
      spans,
      [...spans].reverse(),
      spans.slice(1),
      [...spans, ...langfuseSpans('langfuse-py.otlp.pb')],
    ]) {
      const packed = packSpans(some);
      expect(packed[0]).toBe(0x0a);
      expect(unpackSpans(packed)).toEqual(some);
      expect(unpackSpans(packSpans(unpackSpans(packed)))).toEqual(some);
    }
  });

  it('What came in JSON, or in both, comes back as it was', () => {
    const mixed = [...capturedSpans('aisdk.json'), ...langfuseSpans('langfuse-py.otlp.pb')];
    for (const spans of [
      langfuseSpans('langfuse-js.otlp.json'),
      capturedSpans('oi-langgraph.json'),
      mixed,
      [],
    ]) {
      expect(unpackSpans(packSpans(spans))).toEqual(spans);
    }
  });

  it('[F4] [O9] Every value comes back: integers of 64 bits, doubles without a numeral, bytes, texts and names of any kind', () => {
    fc.assert(
      fc.property(attributes, attributes, (own, resource) => {
        const spans: Span[] = [
          aSpan({
            attributes: own,
            resource,
            events: [{ at: 2n ** 63n, name: 'e', attributes: new Map(Object.entries(own)) }],
          }),
        ];
        expect(unpackSpans(packSpans(spans))).toEqual(spans);
      }),
    );
  });

  it('Log records wait as spans do', () => {
    fc.assert(
      fc.property(attributes, value, attributes, (own, body, resource) => {
        const records: LogRecord[] = [
          {
            traceId: 'a'.repeat(32),
            spanId: 'b'.repeat(16),
            eventName: 'gen_ai.choice',
            at: 7n,
            body,
            attributes: new Map(Object.entries(own)),
            resource: new Map(Object.entries(resource)),
          },
        ];
        const packed = packLogs(records);
        expect(unpackLogs(packed)).toEqual(records);
      }),
    );
  });

  it('Bytes that are none of them are an error', () => {
    for (const bytes of [
      '{"resourceSpans":',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}',
      '\xff\xff',
    ]) {
      expect(() => unpackSpans(Buffer.from(bytes, 'latin1'))).toThrow(RangeError);
    }
    expect(() => unpackLogs(Buffer.from([0xff]))).toThrow(RangeError);
  });
});
