import { keepOrReject, spanIdOf } from './decoding.js';
import {
  attributesOf,
  bodyOf,
  listIn,
  type Members,
  nanosIn,
  objectIn,
  textIn,
  valueOf,
} from './json-values.js';
import { eventNameOf, type LogRecord, type LogsReading } from './log-record.js';

/** Reads an `ExportLogsServiceRequest` in JSON, by the same rules as one for traces. */
export function decodeJsonLogs(text: string): LogsReading {
  const read = bodyOf(text);
  if ('detail' in read) return { ok: false, detail: read.detail };
  const records: LogRecord[] = [];
  const rejected: string[] = [];
  for (const group of listIn(read.body, 'resourceLogs')) {
    for (const scoped of listIn(group, 'scopeLogs')) {
      for (const record of listIn(scoped, 'logRecords')) {
        keepOrReject(records, rejected, () => readRecord(record));
      }
    }
  }
  return { ok: true, records, rejected };
}

function readRecord(record: Members): LogRecord {
  const attributes = attributesOf(record);
  return {
    traceId: spanIdOf(textIn(record, 'traceId'), 16, 'traceId'),
    spanId: spanIdOf(textIn(record, 'spanId'), 8, 'spanId'),
    eventName: eventNameOf(textIn(record, 'eventName'), attributes),
    at: nanosIn(record, 'timeUnixNano') || nanosIn(record, 'observedTimeUnixNano'),
    body: valueOf(objectIn(record, 'body'), 1),
    attributes,
  };
}
