import type { Unread } from '../reported-items.js';
import type { Attributes, AttributeValue } from './span.js';

/** A log record that belongs to a span. */
export interface LogRecord {
  /** 32 digits of lower-case hex. */
  traceId: string;
  /** 16 digits of lower-case hex. */
  spanId: string;
  /** Empty when the record names no event. */
  eventName: string;
  /** Nanoseconds since 1970; 0 when unknown. */
  at: bigint;
  body: AttributeValue;
  attributes: Attributes;
  /** What the process says of itself. */
  resource: Attributes;
}

/** A request for the export of logs, read. Records that belong to no span are rejected: there is nothing to join them to. */
export type LogsReading = { ok: true; records: LogRecord[]; rejected: string[] } | Unread;

/** The name of the event, which older exporters say in an attribute. */
export function eventNameOf(said: string, attributes: Attributes): string {
  const older = said === '' ? attributes.get('event.name') : said;
  return typeof older === 'string' ? older : '';
}
