import { DEEPEST_VALUE, UnusableSpan, keepOrReject, once, parentIdOf, spanIdOf } from './decoding.js';
import type { AttributeValue, Attributes, Span, SpanEvent, TracesReading } from './span.js';

type Members = Record<string, unknown>;

/**
 * Reads an `ExportTraceServiceRequest` in JSON, by the
 * [mapping of OTLP](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids are hex in any case, numbers of
 * 64 bits are texts or numbers, names are in camelCase and unknown ones are passed over. Names of enum values are taken
 * beside their numbers, since some exporters send them.
 */
export function decodeJsonTraces(text: string): TracesReading {
  let body: unknown;
  try {
    body = JSON.parse(withExactIntegers(text));
  } catch {
    return { ok: false, detail: 'it is not JSON' };
  }
  if (!isObject(body)) return { ok: false, detail: 'it is not an object' };
  const spans: Span[] = [];
  const rejected: string[] = [];
  for (const group of listIn(body, 'resourceSpans')) {
    const resource = once(() => attributesOf(objectIn(group, 'resource')));
    for (const scoped of listIn(group, 'scopeSpans')) {
      const scope = once(() => scopeOf(objectIn(scoped, 'scope')));
      for (const span of listIn(scoped, 'spans')) {
        keepOrReject(spans, rejected, () => readSpan(span, scope(), resource()));
      }
    }
  }
  return { ok: true, spans, rejected };
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Numbers of more than 53 bits as texts, which the mapping allows: `JSON.parse` would round them. */
function withExactIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
}

function readSpan(span: Members, scope: Span['scope'], resource: Attributes): Span {
  const status = objectIn(span, 'status');
  return {
    traceId: spanIdOf(textIn(span, 'traceId'), 16, 'traceId'),
    spanId: spanIdOf(textIn(span, 'spanId'), 8, 'spanId'),
    parentSpanId: parentIdOf(textIn(span, 'parentSpanId')),
    name: textIn(span, 'name'),
    kind: enumIn(span, 'kind', KINDS),
    startedAt: nanosIn(span, 'startTimeUnixNano'),
    endedAt: nanosIn(span, 'endTimeUnixNano'),
    attributes: attributesOf(span),
    events: listIn(span, 'events').map(readEvent),
    status: { code: enumIn(status, 'code', CODES), message: textIn(status, 'message') },
    scope,
    resource,
  };
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);
const CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

function readEvent(event: Members): SpanEvent {
  return {
    at: nanosIn(event, 'timeUnixNano'),
    name: textIn(event, 'name'),
    attributes: attributesOf(event),
  };
}

function scopeOf(scope: Members): Span['scope'] {
  return {
    name: textIn(scope, 'name'),
    version: textIn(scope, 'version'),
    attributes: attributesOf(scope),
  };
}

function attributesOf(holder: Members, name = 'attributes', depth = 0): Attributes {
  return new Map(
    listIn(holder, name).map((pair) => [textIn(pair, 'key'), valueOf(objectIn(pair, 'value'), depth + 1)]),
  );
}

function valueOf(value: Members, depth: number): AttributeValue {
  if (depth > DEEPEST_VALUE) throw new UnusableSpan(`values nest deeper than ${DEEPEST_VALUE}`);
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (stringValue !== undefined) return textIn(value, 'stringValue');
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue !== undefined) return integerOf(intValue);
  if (doubleValue !== undefined) return Number(doubleValue);
  if (isObject(arrayValue)) return listIn(arrayValue, 'values').map((item) => valueOf(item, depth + 1));
  if (isObject(kvlistValue)) return attributesOf(kvlistValue, 'values', depth);
  if (typeof bytesValue === 'string') return Buffer.from(bytesValue, 'base64');
  return null;
}

function integerOf(value: unknown): bigint {
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new UnusableSpan('an intValue is not an integer of 64 bits');
}

const MOST_NANOS = 2n ** 64n - 1n;

function nanosIn(holder: Members, name: string): bigint {
  const value = holder[name] ?? 0;
  const isDigits = typeof value === 'string' ? /^\d{1,20}$/.test(value) : Number.isInteger(value);
  const nanos = isDigits ? BigInt(value as string | number) : -1n;
  if (nanos < 0n || nanos > MOST_NANOS) throw new UnusableSpan(`${name} is no number of nanoseconds`);
  return nanos;
}

function enumIn(holder: Members, name: string, names: readonly string[]): number {
  const value = holder[name] ?? 0;
  return typeof value === 'string' ? Math.max(0, names.indexOf(value)) : Math.trunc(Number(value)) || 0;
}

function textIn(holder: Members, name: string): string {
  const value = holder[name] ?? '';
  if (typeof value !== 'string') throw new UnusableSpan(`${name} is not a text`);
  return value;
}

function objectIn(holder: Members, name: string): Members {
  const value = holder[name];
  return isObject(value) ? value : {};
}

function listIn(holder: Members, name: string): Members[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
