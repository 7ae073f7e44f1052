import { isBare } from './bare.js';
import { RawJson } from './raw-json.js';

/**
 * Writes an answer as JSON. As `JSON.stringify` does, except that `RawJson` at any depth is spliced in as it
 * stands, a bigint is written as a number, and what would be altered in silence throws a TypeError: a Date
 * (it has lost its microseconds), a Map or Set, bytes, NaN and Infinity, a function or symbol, or nothing at
 * all. `toJSON` is not asked. Undefined members are dropped; an undefined element is `null`.
 *
 * Recursive: for answers that we shape, never for what a client sent. On 50 rows of 35 members, two of them
 * `RawJson`, it takes 1.15 to 1.25 times as long as `JSON.stringify` of the parsed rows (about 0.25 ms).
 */
export function encodeJson(value: unknown): string {
  if (value === undefined) throw new TypeError('undefined is no JSON value');
  return encode(value);
}

function encode(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON value`);
      return value === 0 ? '0' : String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : encodeObject(value);
    default:
      throw new TypeError(`a ${typeof value} is no JSON value`);
  }
}

function encodeObject(value: object): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return encodeArray(value);
  if (!isPlain(value)) refuseSpecial(value);
  let text = '';
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += (text === '' ? '{' : ',') + label(name) + encode(member);
  }
  return text === '' ? '{}' : `${text}}`;
}

function encodeArray(values: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    const value = values[index];
    text += value === undefined ? 'null' : encode(value);
  }
  return `${text}]`;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype || isBare(value);
}

function refuseSpecial(value: object): void {
  const isSpecial =
    value instanceof Date || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);
  if (isSpecial) throw new TypeError(`a ${value.constructor.name} is no JSON value: shape it first`);
}

/** Names of members with their colon. Answers have few, but some are a client's, so the number is bounded. */
const labels = new Map<string, string>();
const MOST_LABELS = 2_000;

function label(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const made = `${JSON.stringify(name)}:`;
  if (labels.size < MOST_LABELS && name.length <= 64) labels.set(name, made);
  return made;
}

/** Most strings need no escape, and finding that out is cheaper than the ordinary serializer. */
function quoted(value: string): string {
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;
