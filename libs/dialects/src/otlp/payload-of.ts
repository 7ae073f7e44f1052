import { type PayloadReading, RawJson, readPayload } from '@agentflow/domain';
import type { Attributes, AttributeValue } from './span.js';

/** Thrown where a span holds what cannot be kept unaltered; the message says what. */
export class Unkeepable extends Error {}

/**
 * A value as the payload that it stands for: a text that holds JSON is that very JSON, another text is a JSON string, and
 * values with a structure are written out with their integers digit for digit, bytes in base64, and names as they are.
 * Throws `Unkeepable` for what the database cannot hold or would poison a reader.
 */
export function payloadOf(value: AttributeValue): RawJson {
  if (typeof value !== 'string') return keepable(readPayload(jsonTextOf(value)));
  const reading = readPayload(value);
  if (reading.ok) return reading.value;
  return isStructure(value, reading) ? keepable(reading) : keepable(readPayload(JSON.stringify(value)));
}

/** An object that is put together here from JSON texts; a member without a value is left out. */
export function objectOf(members: Iterable<readonly [string, string | undefined]>): string {
  const texts: string[] = [];
  for (const [name, text] of members) {
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

const MOST_METADATA = 256 * 1024;

/**
 * The same, ready to be stored as metadata; nothing when it has no members. Of what is over 256 KiB the largest members
 * are left out, and named in `dropped`.
 */
export function metadataOf(members: Iterable<readonly [string, string | undefined]>): RawJson | undefined {
  const kept = new Map<string, string>();
  for (const [name, text] of members) if (text !== undefined) kept.set(name, text);
  const dropped: string[] = [];
  let text = objectOf(kept);
  while (Buffer.byteLength(text) > MOST_METADATA && kept.size > 0) {
    const [[largest]] = [...kept].sort(([, a], [, b]) => b.length - a.length) as [[string, string]];
    kept.delete(largest);
    dropped.push(largest);
    text = objectOf([...kept, ['dropped', JSON.stringify(dropped)]]);
  }
  return text === '{}' ? undefined : keepable(readPayload(text, 'structured'));
}

/** A value as JSON text, texts as strings. What no JSON number can say (NaN, infinity) is a text, as in OTLP's JSON. */
export function jsonTextOf(value: AttributeValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? numeral(value) : `"${value}"`;
  if (isList(value)) return `[${value.map(jsonTextOf).join(',')}]`;
  if (isMembers(value)) return objectOf([...value].map(([name, member]) => [name, jsonTextOf(member)]));
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  return JSON.stringify(value);
}

/** Throws `Unkeepable` when the text has characters that cannot be stored. */
export function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new Unkeepable('A text holds NUL or half a surrogate pair.');
}

export function isList(value: AttributeValue | undefined): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

export function isMembers(value: AttributeValue | undefined): value is Attributes {
  return value instanceof Map;
}

function keepable(reading: PayloadReading): RawJson {
  if (reading.ok) return reading.value;
  const { detail, pointer } = reading.fault;
  throw new Unkeepable(pointer === '' ? detail : `${detail} (at ${pointer})`);
}

/** Whether a text that cannot be kept as JSON is JSON with members nonetheless; a word or number can be a string. */
function isStructure(text: string, reading: PayloadReading): boolean {
  if (reading.ok || !/^\s*[[{]/.test(text)) return false;
  if (reading.fault.kind !== 'malformed') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function numeral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
