import {
  type DecodingLimits,
  keepOrReject,
  once,
  parentIdOf,
  readOrUnread,
  spanIdOf,
  Tally,
  UNLIMITED,
} from './decoding.js';
import {
  attributesOf,
  bodyOf,
  elementsIn,
  enumIn,
  listIn,
  type Members,
  nanosIn,
  objectIn,
  recordIn,
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
export function decodeJsonTraces(text: string, limits: DecodingLimits = UNLIMITED): TracesReading {
  const tally = new Tally(limits);
  const spans: Span[] = [];
  const rejected: string[] = [];
  return readOrUnread(() => {
    for (const group of listIn(bodyOf(text, limits.parts), 'resourceSpans')) {
      tally.addGroup();
      const resource = once(() => attributesOf(objectIn(group, 'resource'), tally));
      for (const scoped of listIn(group, 'scopeSpans')) {
        tally.addGroup();
        const scope = once(() => scopeOf(objectIn(scoped, 'scope'), tally));
        for (const span of elementsIn(scoped, 'spans')) {
          keepOrReject(spans, rejected, tally, () => readSpan(recordIn(span), tally, scope, resource));
        }
      }
    }
    return { ok: true, spans, rejected };
  });
}

function readSpan(span: Members, tally: Tally, scope: () => Span['scope'], resource: () => Attributes): Span {
  const status = objectIn(span, 'status');
  return {
    traceId: spanIdOf(textIn(span, 'traceId'), 16, 'traceId'),
    spanId: spanIdOf(textIn(span, 'spanId'), 8, 'spanId'),
    parentSpanId: parentIdOf(textIn(span, 'parentSpanId')),
    name: textIn(span, 'name'),
    kind: enumIn(span, 'kind', KINDS),
    startedAt: nanosIn(span, 'startTimeUnixNano'),
    endedAt: nanosIn(span, 'endTimeUnixNano'),
    attributes: attributesOf(span, tally),
    events: listIn(span, 'events').map((event) => readEvent(event, tally)),
    status: { code: enumIn(status, 'code', CODES), message: textIn(status, 'message') },
    scope: scope(),
    resource: resource(),
  };
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);
const CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

function readEvent(event: Members, tally: Tally): SpanEvent {
  tally.addPart();
  return {
    at: nanosIn(event, 'timeUnixNano'),
    name: textIn(event, 'name'),
    attributes: attributesOf(event, tally),
  };
}
