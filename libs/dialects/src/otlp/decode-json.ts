import { keepOrReject, once, parentIdOf, spanIdOf } from './decoding.js';
import {
  attributesOf,
  bodyOf,
  enumIn,
  listIn,
  type Members,
  nanosIn,
  objectIn,
  scopeOf,
  textIn,
} from './json-values.js';
import type { Attributes, Span, SpanEvent, TracesReading } from './span.js';

/**
 * Reads an `ExportTraceServiceRequest` in JSON, by the
 * [mapping of OTLP](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids are hex in any case, numbers of
 * 64 bits are texts or numbers, names are in camelCase and unknown ones are passed over. Names of enum values are taken
 * beside their numbers, since some exporters send them.
 */
export function decodeJsonTraces(text: string): TracesReading {
  const read = bodyOf(text);
  if ('detail' in read) return { ok: false, detail: read.detail };
  const spans: Span[] = [];
  const rejected: string[] = [];
  for (const group of listIn(read.body, 'resourceSpans')) {
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
