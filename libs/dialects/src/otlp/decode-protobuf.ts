import { FIXED64, LENGTH, ProtobufReader, VARINT } from './protobuf-reader.js';
import {
  DEEPEST_VALUE,
  Malformed,
  UnusableSpan,
  keepOrReject,
  once,
  parentIdOf,
  spanIdOf,
} from './decoding.js';
import type { AttributeValue, Attributes, Span, SpanEvent, TracesReading } from './span.js';

/**
 * Reads an `ExportTraceServiceRequest` in protobuf. Numbers of fields are those of
 * [opentelemetry-proto](https://github.com/open-telemetry/opentelemetry-proto) 1.x; unknown fields are passed over. A
 * group's own words may stand behind its members, so they are read first.
 */
export function decodeProtobufTraces(body: Buffer): TracesReading {
  const spans: Span[] = [];
  const rejected: string[] = [];
  try {
    for (const group of membersOf(new ProtobufReader(body), 1)) readResourceSpans(group, spans, rejected);
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, detail: error.message };
    throw error;
  }
  return { ok: true, spans, rejected };
}

function readResourceSpans(body: Buffer, spans: Span[], rejected: string[]): void {
  const resource = once(() => attributesIn(membersOf(new ProtobufReader(body), 1), 1));
  for (const group of membersOf(new ProtobufReader(body), 2)) {
    const scope = once(() => readScope(membersOf(new ProtobufReader(group), 1)));
    for (const span of membersOf(new ProtobufReader(group), 2)) {
      keepOrReject(spans, rejected, () => readSpan(new ProtobufReader(span), scope(), resource()));
    }
  }
}

/** The messages that stand under one number. */
function membersOf(reader: ProtobufReader, field: number): Buffer[] {
  const members: Buffer[] = [];
  while (reader.next()) {
    if (reader.is(field, LENGTH)) members.push(reader.bytes());
    else reader.skip();
  }
  return members;
}

function readScope(messages: readonly Buffer[]): Span['scope'] {
  const scope = { name: '', version: '', attributes: attributesIn(messages, 3) };
  for (const message of messages) {
    const reader = new ProtobufReader(message);
    while (reader.next()) {
      if (reader.is(1, LENGTH)) scope.name = reader.text();
      else if (reader.is(2, LENGTH)) scope.version = reader.text();
      else reader.skip();
    }
  }
  return scope;
}

/** The attributes that stand under one number of messages. */
function attributesIn(messages: readonly Buffer[], field: number): Attributes {
  const attributes = new Map<string, AttributeValue>();
  for (const message of messages) {
    for (const pair of membersOf(new ProtobufReader(message), field)) {
      addPair(attributes, new ProtobufReader(pair), 0);
    }
  }
  return attributes;
}

function readSpan(reader: ProtobufReader, scope: Span['scope'], resource: Attributes): Span {
  const ids = { trace: '', span: '', parent: '' };
  const attributes = new Map<string, AttributeValue>();
  const events: SpanEvent[] = [];
  const span = { name: '', kind: 0, startedAt: 0n, endedAt: 0n, status: { code: 0, message: '' } };
  while (reader.next()) {
    if (reader.is(1, LENGTH)) ids.trace = reader.bytes().toString('hex');
    else if (reader.is(2, LENGTH)) ids.span = reader.bytes().toString('hex');
    else if (reader.is(4, LENGTH)) ids.parent = reader.bytes().toString('hex');
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

function addPair(attributes: Map<string, AttributeValue>, reader: ProtobufReader, depth: number): void {
  let key = '';
  let value: AttributeValue = null;
  while (reader.next()) {
    if (reader.is(1, LENGTH)) key = reader.text();
    else if (reader.is(2, LENGTH)) value = readValue(reader.message(), depth + 1);
    else reader.skip();
  }
  attributes.set(key, value);
}

/** An `AnyValue`. Of several members the last counts, as everywhere in protobuf; none is null. */
function readValue(reader: ProtobufReader, depth: number): AttributeValue {
  if (depth > DEEPEST_VALUE) throw new UnusableSpan(`values nest deeper than ${DEEPEST_VALUE}`);
  let value: AttributeValue = null;
  while (reader.next()) {
    if (reader.is(1, LENGTH)) value = reader.text();
    else if (reader.is(2, VARINT)) value = reader.int64() !== 0n;
    else if (reader.is(3, VARINT)) value = reader.int64();
    else if (reader.is(4, FIXED64)) value = reader.double();
    else if (reader.is(5, LENGTH)) value = readList(reader.message(), depth);
    else if (reader.is(6, LENGTH)) value = readMembers(reader.message(), depth);
    else if (reader.is(7, LENGTH)) value = reader.bytes();
    else reader.skip();
  }
  return value;
}

function readList(reader: ProtobufReader, depth: number): AttributeValue[] {
  const values: AttributeValue[] = [];
  while (reader.next()) {
    if (reader.is(1, LENGTH)) values.push(readValue(reader.message(), depth + 1));
    else reader.skip();
  }
  return values;
}

function readMembers(reader: ProtobufReader, depth: number): Attributes {
  const members = new Map<string, AttributeValue>();
  while (reader.next()) {
    if (reader.is(1, LENGTH)) addPair(members, reader.message(), depth);
    else reader.skip();
  }
  return members;
}
