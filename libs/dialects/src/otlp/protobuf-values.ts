import { DEEPEST_VALUE, type Tally, UnusableSpan } from './decoding.js';
import { FIXED64, LENGTH, ProtobufReader, VARINT } from './protobuf-reader.js';
import type { AttributeValue, Attributes, Span } from './span.js';

/* The values of OTLP in protobuf. What a span or a log record cannot be kept with throws `UnusableSpan`. */

/** The messages that stand under one number: groups, or what a group says of itself. */
export function groupsIn(body: Buffer, field: number, tally: Tally): Buffer[] {
  const groups: Buffer[] = [];
  for (const group of membersIn(body, field, tally)) {
    tally.addGroup();
    groups.push(group);
  }
  return groups;
}

/** The messages that stand under one number, one after the other: nobody knows how many there are. */
export function* membersIn(body: Buffer, field: number, tally: Tally): Generator<Buffer> {
  const reader = new ProtobufReader(body, tally);
  while (reader.next()) {
    if (reader.is(field, LENGTH)) yield reader.bytes();
    else reader.skip();
  }
}

export function readScope(messages: readonly Buffer[], tally: Tally): Span['scope'] {
  const scope = { name: '', version: '', attributes: attributesIn(messages, 3, tally) };
  for (const message of messages) {
    const reader = new ProtobufReader(message, tally);
    while (reader.next()) {
      if (reader.is(1, LENGTH)) scope.name = reader.text();
      else if (reader.is(2, LENGTH)) scope.version = reader.text();
      else reader.skip();
    }
  }
  return scope;
}

/** The attributes that stand under one number of messages. */
export function attributesIn(messages: readonly Buffer[], field: number, tally: Tally): Attributes {
  const attributes = new Map<string, AttributeValue>();
  for (const message of messages) {
    const reader = new ProtobufReader(message, tally);
    while (reader.next()) {
      if (reader.is(field, LENGTH)) addPair(attributes, reader.message(), 0);
      else reader.skip();
    }
  }
  return attributes;
}

export function addPair(
  attributes: Map<string, AttributeValue>,
  reader: ProtobufReader,
  depth: number,
): void {
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
export function readValue(reader: ProtobufReader, depth: number): AttributeValue {
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
