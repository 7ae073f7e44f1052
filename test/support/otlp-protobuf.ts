/* Writes the JSON form of a request for traces or logs as protobuf, so that both encodings of one request can be sent. */

type Members = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- any request that a test makes

const varint = (value: bigint): number[] => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
};
const integer = (field: number, value: number | string | bigint): Buffer =>
  Buffer.from([...varint(BigInt(field << 3)), ...varint(BigInt(value))]);
/** What stands before the content of a field that is so many bytes long. */
export const head = (field: number, length: number): Buffer =>
  Buffer.from([...varint(BigInt((field << 3) | 2)), ...varint(BigInt(length))]);
export const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([head(field, content.length), content]);
const text = (field: number, value: string | undefined): Buffer =>
  value === undefined ? Buffer.alloc(0) : bytes(field, Buffer.from(value));
const fixed64 = (field: number, value: string | number | undefined): Buffer => {
  if (value === undefined) return Buffer.alloc(0);
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return Buffer.concat([Buffer.from(varint(BigInt((field << 3) | 1))), buffer]);
};
const each = (field: number, list: Members[] | undefined, encode: (one: Members) => Buffer): Buffer =>
  Buffer.concat((list ?? []).map((one) => bytes(field, encode(one))));

export function protobufOf({ resourceSpans, resourceLogs }: Members): Buffer {
  return each(1, resourceSpans ?? resourceLogs, ({ resource, scopeSpans, scopeLogs }) =>
    Buffer.concat([
      bytes(1, attributes(1, resource?.attributes)),
      each(2, scopeSpans ?? scopeLogs, ({ scope, spans, logRecords }) =>
        Buffer.concat([
          bytes(
            1,
            Buffer.concat([text(1, scope?.name), text(2, scope?.version), attributes(3, scope?.attributes)]),
          ),
          each(2, spans, span),
          each(2, logRecords, logRecord),
        ]),
      ),
    ]),
  );
}

const hex = (field: number, value: string | undefined): Buffer =>
  value ? bytes(field, Buffer.from(value, 'hex')) : Buffer.alloc(0);

function span(one: Members): Buffer {
  return Buffer.concat([
    hex(1, one.traceId),
    hex(2, one.spanId),
    hex(4, one.parentSpanId),
    text(5, one.name),
    integer(6, one.kind ?? 0),
    fixed64(7, one.startTimeUnixNano),
    fixed64(8, one.endTimeUnixNano),
    attributes(9, one.attributes),
    each(11, one.events, (event) =>
      Buffer.concat([fixed64(1, event.timeUnixNano), text(2, event.name), attributes(3, event.attributes)]),
    ),
    ...(one.status
      ? [bytes(15, Buffer.concat([text(2, one.status.message), integer(3, one.status.code ?? 0)]))]
      : []),
  ]);
}

function logRecord(one: Members): Buffer {
  return Buffer.concat([
    fixed64(1, one.timeUnixNano),
    ...(one.body ? [bytes(5, anyValue(one.body))] : []),
    attributes(6, one.attributes),
    hex(9, one.traceId),
    hex(10, one.spanId),
    text(12, one.eventName),
  ]);
}

function attributes(field: number, list: Members[] | undefined): Buffer {
  return each(field, list, ({ key, value }) => Buffer.concat([text(1, key), bytes(2, anyValue(value))]));
}

/** A value that is encoded already goes as it is. */
function anyValue(value: Members | Buffer): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (value.stringValue !== undefined) return text(1, value.stringValue);
  if (value.boolValue !== undefined) return integer(2, value.boolValue ? 1 : 0);
  if (value.intValue !== undefined) return integer(3, value.intValue);
  if (value.doubleValue !== undefined) {
    const buffer = Buffer.alloc(9);
    buffer[0] = (4 << 3) | 1;
    buffer.writeDoubleLE(value.doubleValue, 1);
    return buffer;
  }
  if (value.arrayValue) return bytes(5, each(1, value.arrayValue.values, anyValue));
  if (value.kvlistValue) return bytes(6, attributes(1, value.kvlistValue.values));
  return Buffer.alloc(0);
}
