import { describe, expect, it } from '@jest/globals';
import { bytes } from '../../../../test/support/otlp-protobuf.js';
import { decodeJsonLogs } from './decode-json-logs.js';
import { decodeProtobufLogs } from './decode-protobuf-logs.js';
import type { LogRecord, LogsReading } from './log-record.js';
import { packLogs, unpackLogs } from './pack-spans.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const field = (number: number, content: Buffer | string): Buffer => bytes(number, Buffer.from(content));
const fixed64 = (number: number, value: bigint): Buffer => {
  const buffer = Buffer.alloc(9, number * 8 + 1);
  buffer.writeBigUInt64LE(value, 1);
  return buffer;
};
const pair = (name: string, value: string): Buffer =>
  Buffer.concat([field(1, name), field(2, field(1, value))]);
const inProtobuf = (...records: Buffer[][]): Buffer =>
  field(
    1,
    Buffer.concat([
      field(
        2,
        Buffer.concat([
          field(1, field(1, 'genai')),
          ...records.map((record) => field(2, Buffer.concat(record))),
        ]),
      ),
      field(1, field(1, pair('service.name', 'shop'))),
    ]),
  );
const inJson = (...logRecords: object[]): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [{ logRecords }],
      },
    ],
  });
const recordsOf = (reading: LogsReading): LogRecord[] => (reading.ok ? reading.records : []);

describe('the records of an OTLP request for logs', () => {
  const ids = [field(9, Buffer.from(traceId, 'hex')), field(10, Buffer.from(spanId, 'hex'))];
  const body = { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'hi' } }] } };

  it('[O2] The same record says the same in JSON and in protobuf, and waits in the bytes that it came in', () => {
    const protobuf = decodeProtobufLogs(
      inProtobuf([
        ...ids,
        fixed64(1, 7n),
        field(5, field(6, field(1, pair('content', 'hi')))),
        field(6, pair('gen_ai.system', 'openai')),
        field(12, 'gen_ai.user.message'),
      ]),
    );
    const attributes = [{ key: 'gen_ai.system', value: { stringValue: 'openai' } }];
    const json = decodeJsonLogs(
      inJson({ traceId, spanId, timeUnixNano: '7', eventName: 'gen_ai.user.message', body, attributes }),
    );
    expect(protobuf).toEqual(json);
    expect(recordsOf(json)).toEqual([
      {
        traceId,
        spanId,
        eventName: 'gen_ai.user.message',
        at: 7n,
        body: new Map([['content', 'hi']]),
        attributes: new Map([['gen_ai.system', 'openai']]),
        resource: new Map([['service.name', 'shop']]),
      },
    ]);
    for (const reading of [protobuf, json])
      expect(unpackLogs(packLogs(recordsOf(reading)))).toEqual(recordsOf(reading));
  });

  it('Older exporters name the event in an attribute, and the time of observation stands in for a missing one', () => {
    const attributes = [{ key: 'event.name', value: { stringValue: 'gen_ai.choice' } }];
    const old = { traceId, spanId, observedTimeUnixNano: 9, attributes };
    expect(recordsOf(decodeJsonLogs(inJson(old)))).toMatchObject([
      { eventName: 'gen_ai.choice', at: 9n, body: null },
    ]);
    const inBytes = inProtobuf([...ids, fixed64(11, 9n), field(6, pair('event.name', 'gen_ai.choice'))]);
    expect(recordsOf(decodeProtobufLogs(inBytes))).toMatchObject([
      { eventName: 'gen_ai.choice', at: 9n, body: null },
    ]);
  });

  it('[O7] A record that belongs to no span is rejected by itself', () => {
    const some = decodeJsonLogs(
      inJson({ traceId, spanId }, { traceId }, {}, { traceId: '0'.repeat(32), spanId }),
    );
    expect(some).toMatchObject({
      records: [{ traceId, spanId }],
      rejected: ['spanId has to be 8 bytes', 'traceId has to be 16 bytes', 'traceId is all zeros'],
    });
    expect(decodeProtobufLogs(inProtobuf(ids, []))).toMatchObject({
      records: [{ spanId }],
      rejected: ['traceId has to be 16 bytes'],
    });
    expect(decodeProtobufLogs(Buffer.from([0xff])).ok).toBe(false);
    expect(decodeJsonLogs('[]').ok).toBe(false);
    expect(decodeJsonLogs('{}')).toEqual({ ok: true, records: [], rejected: [] });
  });
});
