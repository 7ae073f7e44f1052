import {
  type DecodingLimits,
  keepOrReject,
  once,
  readOrUnread,
  spanIdOf,
  Tally,
  UNLIMITED,
} from './decoding.js';
import { eventNameOf, type LogRecord, type LogsReading } from './log-record.js';
import { FIXED64, LENGTH, ProtobufReader } from './protobuf-reader.js';
import { addPair, attributesIn, groupsIn, membersIn, readValue } from './protobuf-values.js';
import { keepSource } from './record-source.js';
import type { AttributeValue, Attributes } from './span.js';

/** Reads an `ExportLogsServiceRequest` in protobuf, by the same rules as one for traces. */
export function decodeProtobufLogs(body: Buffer, limits: DecodingLimits = UNLIMITED): LogsReading {
  const records: LogRecord[] = [];
  const rejected: string[] = [];
  const tally = new Tally(limits);
  return readOrUnread(() => {
    for (const group of groupsIn(body, 1, tally)) readResourceLogs(group, records, rejected, tally);
    return { ok: true, records, rejected };
  });
}

function readResourceLogs(body: Buffer, records: LogRecord[], rejected: string[], tally: Tally): void {
  const resources = groupsIn(body, 1, tally);
  const resource = once(() => attributesIn(resources, 1, tally));
  for (const group of groupsIn(body, 2, tally)) {
    const scopes = groupsIn(group, 1, tally);
    for (const record of membersIn(group, 2, tally)) {
      keepOrReject(records, rejected, tally, () => {
        const read = readRecord(new ProtobufReader(record, tally), resource());
        return keepSource(read, { record, scopes, resources });
      });
    }
  }
}

function readRecord(reader: ProtobufReader, resource: Attributes): LogRecord {
  const attributes = new Map<string, AttributeValue>();
  const ids = { trace: '', span: '' };
  const times = { at: 0n, observed: 0n };
  let body: AttributeValue = null;
  let eventName = '';
  while (reader.next()) {
    if (reader.is(1, FIXED64)) times.at = reader.fixed64();
    else if (reader.is(5, LENGTH)) body = readValue(reader.message(), 1);
    else if (reader.is(6, LENGTH)) addPair(attributes, reader.message(), 0);
    else if (reader.is(9, LENGTH)) ids.trace = reader.hex();
    else if (reader.is(10, LENGTH)) ids.span = reader.hex();
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
    resource,
  };
}
