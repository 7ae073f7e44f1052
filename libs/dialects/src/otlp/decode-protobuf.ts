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
import { FIXED64, LENGTH, ProtobufReader, VARINT } from './protobuf-reader.js';
import { addPair, attributesIn, groupsIn, membersIn, readScope } from './protobuf-values.js';
import { keepSource } from './record-source.js';
import type { AttributeValue, Attributes, Span, SpanEvent, TracesReading } from './span.js';

/**
 * Reads an `ExportTraceServiceRequest` in protobuf. Numbers of fields are those of
 * [opentelemetry-proto](https://github.com/open-telemetry/opentelemetry-proto) 1.x; unknown fields are passed over. A
 * group's own words may stand behind its members, so they are read first.
 */
export function decodeProtobufTraces(body: Buffer, limits: DecodingLimits = UNLIMITED): TracesReading {
  const spans: Span[] = [];
  const rejected: string[] = [];
  const tally = new Tally(limits);
  return readOrUnread(() => {
    for (const group of groupsIn(body, 1, tally)) readResourceSpans(group, spans, rejected, tally);
    return { ok: true, spans, rejected };
  });
}

function readResourceSpans(body: Buffer, spans: Span[], rejected: string[], tally: Tally): void {
  const resources = groupsIn(body, 1, tally);
  const resource = once(() => attributesIn(resources, 1, tally));
  for (const group of groupsIn(body, 2, tally)) {
    const scopes = groupsIn(group, 1, tally);
    const scope = once(() => readScope(scopes, tally));
    for (const record of membersIn(group, 2, tally)) {
      keepOrReject(spans, rejected, tally, () => {
        const span = readSpan(new ProtobufReader(record, tally), scope(), resource());
        return keepSource(span, { record, scopes, resources });
      });
    }
  }
}

function readSpan(reader: ProtobufReader, scope: Span['scope'], resource: Attributes): Span {
  const ids = { trace: '', span: '', parent: '' };
  const attributes = new Map<string, AttributeValue>();
  const events: SpanEvent[] = [];
  const span = { name: '', kind: 0, startedAt: 0n, endedAt: 0n, status: { code: 0, message: '' } };
  while (reader.next()) {
    if (reader.is(1, LENGTH)) ids.trace = reader.hex();
    else if (reader.is(2, LENGTH)) ids.span = reader.hex();
    else if (reader.is(4, LENGTH)) ids.parent = reader.hex();
    else if (reader.is(5, LENGTH)) span.name = reader.text();
    else if (reader.is(6, VARINT)) span.kind = reader.smallVarint();
    else if (reader.is(7, FIXED64)) span.startedAt = reader.fixed64();
    else if (reader.is(8, FIXED64)) span.endedAt = reader.fixed64();
    else if (reader.is(9, LENGTH)) addPair(attributes, reader.message(), 0);
    else if (reader.is(11, LENGTH)) events.push(readEvent(reader.message()));
    else if (reader.is(15, LENGTH)) readStatus(reader.message(), span.status);
    else reader.skip();
  }
  const traceId = spanIdOf(ids.trace, 16, 'traceId');
  const spanId = spanIdOf(ids.span, 8, 'spanId');
  return {
    traceId,
    spanId,
    parentSpanId: parentIdOf(ids.parent),
    ...span,
    attributes,
    events,
    scope,
    resource,
  };
}

function readEvent(reader: ProtobufReader): SpanEvent {
  const attributes = new Map<string, AttributeValue>();
  const event = { at: 0n, name: '', attributes };
  while (reader.next()) {
    if (reader.is(1, FIXED64)) event.at = reader.fixed64();
    else if (reader.is(2, LENGTH)) event.name = reader.text();
    else if (reader.is(3, LENGTH)) addPair(attributes, reader.message(), 0);
    else reader.skip();
  }
  return event;
}

function readStatus(reader: ProtobufReader, status: Span['status']): void {
  while (reader.next()) {
    if (reader.is(2, LENGTH)) status.message = reader.text();
    else if (reader.is(3, VARINT)) status.code = reader.smallVarint();
    else reader.skip();
  }
}
