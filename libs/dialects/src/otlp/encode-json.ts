import { isList, isMembers } from './payload-of.js';
import type { LogRecord } from './log-record.js';
import type { Attributes, AttributeValue, Span } from './span.js';

/* Spans and log records in OTLP's JSON, as far as the decoders read them. */

/** A group with its one span, for a list of `resourceSpans`. */
export function groupOfSpan(span: Span): object {
  const { scope, resource, attributes, events, startedAt, endedAt, ...rest } = span;
  const timed = events.map((event) => ({
    name: event.name,
    timeUnixNano: String(event.at),
    attributes: pairsOf(event.attributes),
  }));
  const times = { startTimeUnixNano: String(startedAt), endTimeUnixNano: String(endedAt) };
  const spans = [{ ...rest, ...times, attributes: pairsOf(attributes), events: timed }];
  const scopeSpans = [{ scope: { ...scope, attributes: pairsOf(scope.attributes) }, spans }];
  return { resource: { attributes: pairsOf(resource) }, scopeSpans };
}

/** A group with its one record, for a list of `resourceLogs`. */
export function groupOfLog({ at, body, attributes, resource, ...rest }: LogRecord): object {
  const said = body === null ? {} : { body: valueOf(body) };
  const logRecords = [{ ...rest, ...said, timeUnixNano: String(at), attributes: pairsOf(attributes) }];
  return { resource: { attributes: pairsOf(resource) }, scopeLogs: [{ logRecords }] };
}

function pairsOf(attributes: Attributes): object[] {
  return [...attributes].map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: AttributeValue): object {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number') return { doubleValue: isSaidByJson(value) ? value : textOf(value) };
  if (isList(value)) return { arrayValue: { values: value.map(valueOf) } };
  if (isMembers(value)) return { kvlistValue: { values: pairsOf(value) } };
  return { bytesValue: Buffer.from(value as Uint8Array).toString('base64') };
}

/** JSON has no infinities, and `JSON.stringify` no zero below zero; long integers would be read as texts anyway. */
function isSaidByJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
