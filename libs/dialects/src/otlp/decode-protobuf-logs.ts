import { Malformed, keepOrReject, spanIdOf } from './decoding.js';
import { eventNameOf, type LogRecord, type LogsReading } from './log-record.js';
import { FIXED64, LENGTH, ProtobufReader } from './protobuf-reader.js';
import { addPair, membersOf, readValue } from './protobuf-values.js';
import { keepSource } from './record-source.js';
import type { AttributeValue } from './span.js';

/** Reads an `ExportLogsServiceRequest` in protobuf, by the same rules as one for traces. */
export function decodeProtobufLogs(body: Buffer): LogsReading {
  const records: LogRecord[] = [];
  const rejected: string[] = [];
  try {
    for (const group of membersOf(new ProtobufReader(body), 1)) readResourceLogs(group, records, rejected);
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, detail: error.message };
    throw error;
  }
  return { ok: true, records, rejected };
}

function readResourceLogs(body: Buffer, records: LogRecord[], rejected: string[]): void {
  const resources = membersOf(new ProtobufReader(body), 1);
  for (const group of membersOf(new ProtobufReader(body), 2)) {
    const scopes = membersOf(new ProtobufReader(group), 1);
    for (const record of membersOf(new ProtobufReader(group), 2)) {
      keepOrReject(records, rejected, () =>
        keepSource(readRecord(new ProtobufReader(record)), { record, scopes, resources }),
      );
    }
  }
}

function readRecord(reader: ProtobufReader): LogRecord {
  const attributes = new Map<string, AttributeValue>();
  const ids = { trace: '', span: '' };
  const times = { at: 0n, observed: 0n };
  let body: AttributeValue = null;
  let eventName = '';
  while (reader.next()) {
    if (reader.is(1, FIXED64)) times.at = reader.fixed64();
    else if (reader.is(5, LENGTH)) body = readValue(reader.message(), 1);
    else if (reader.is(6, LENGTH)) addPair(attributes, reader.message(), 0);
    else if (reader.is(9, LENGTH)) ids.trace = reader.bytes().toString('hex');
    else if (reader.is(10, LENGTH)) ids.span = reader.bytes().toString('hex');
    else if (reader.is(11, FIXED64)) times.observed = reader.fixed64();
    else if (reader.is(12, LENGTH)) eventName = reader.text();
    else reader.skip();
  }
  return {
    traceId: spanIdOf(ids.trace, 16, 'traceId'),
    spanId: spanIdOf(ids.span, 8, 'spanId'),
    eventName: eventNameOf(eventName, attributes),
    at: times.at || times.observed,
    body,
    attributes,
  };
}
