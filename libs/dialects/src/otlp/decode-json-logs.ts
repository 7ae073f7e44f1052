import {
  type DecodingLimits,
  keepOrReject,
  once,
  readOrUnread,
  spanIdOf,
  Tally,
  UNLIMITED,
} from './decoding.js';
import {
  attributesOf,
  bodyOf,
  elementsIn,
  listIn,
  type Members,
  nanosIn,
  objectIn,
  recordIn,
  textIn,
  valueOf,
} from './json-values.js';
import { eventNameOf, type LogRecord, type LogsReading } from './log-record.js';
import type { Attributes } from './span.js';

/** Reads an `ExportLogsServiceRequest` in JSON, by the same rules as one for traces. */
export function decodeJsonLogs(text: string, limits: DecodingLimits = UNLIMITED): LogsReading {
  const tally = new Tally(limits);
  const records: LogRecord[] = [];
  const rejected: string[] = [];
  return readOrUnread(() => {
    for (const group of listIn(bodyOf(text, limits.parts), 'resourceLogs')) {
      tally.addGroup();
      const resource = once(() => attributesOf(objectIn(group, 'resource'), tally));
      for (const scoped of listIn(group, 'scopeLogs')) {
        tally.addGroup();
        for (const record of elementsIn(scoped, 'logRecords')) {
          keepOrReject(records, rejected, tally, () => readRecord(recordIn(record), tally, resource));
        }
      }
    }
    return { ok: true, records, rejected };
  });
}

function readRecord(record: Members, tally: Tally, resource: () => Attributes): LogRecord {
  const attributes = attributesOf(record, tally);
  return {
    traceId: spanIdOf(textIn(record, 'traceId'), 16, 'traceId'),
    spanId: spanIdOf(textIn(record, 'spanId'), 8, 'spanId'),
    eventName: eventNameOf(textIn(record, 'eventName'), attributes),
    at: nanosIn(record, 'timeUnixNano') || nanosIn(record, 'observedTimeUnixNano'),
    body: valueOf(objectIn(record, 'body'), tally, 1),
    attributes,
    resource: resource(),
  };
}
