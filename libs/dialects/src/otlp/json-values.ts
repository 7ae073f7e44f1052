import { DEEPEST_VALUE, Malformed, Overfull, type Tally, UnusableSpan } from './decoding.js';
import { endOfString } from '@agentflow/domain';
import type { AttributeValue, Attributes, Span } from './span.js';

/* The values of OTLP's JSON, by its mapping. What a span or a log record cannot be kept with throws `UnusableSpan`. */

export type Members = Record<string, unknown>;

/** A text that does not end is one token, too: otherwise each of its quotes would be tried again as a beginning. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/** The object that a body is. Throws `Malformed`, and `Overfull` before anything is made of more parts than may be. */
export function bodyOf(text: string, mostParts: number): Members {
  if (hasMoreParts(text, mostParts)) throw new Overfull(`it has more than ${mostParts} parts`);
  const body = parsed(text);
  if (!isObject(body)) throw new Malformed('it is not an object');
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text));
  } catch {
    throw new Malformed('it is not JSON');
  }
}

/** Whether there are more lists, objects and further members than so many. Texts are stepped over, and nothing is checked. */
function hasMoreParts(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if ((code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) && ++parts > most) return true;
  }
  return false;
}

const QUOTE = '"'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OPEN_LIST = '['.charCodeAt(0);
const OPEN_OBJECT = '{'.charCodeAt(0);

/** Numbers of more than 53 bits as texts, which the mapping allows: `JSON.parse` would round them. */
function withExactIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
}

export function scopeOf(scope: Members, tally: Tally): Span['scope'] {
  return {
    name: textIn(scope, 'name'),
    version: textIn(scope, 'version'),
    attributes: attributesOf(scope, tally),
  };
}

export function attributesOf(holder: Members, tally: Tally, name = 'attributes', depth = 0): Attributes {
  return new Map(
    listIn(holder, name).map((pair) => [
      textIn(pair, 'key'),
      valueOf(objectIn(pair, 'value'), tally, depth + 1),
    ]),
  );
}

export function valueOf(value: Members, tally: Tally, depth: number): AttributeValue {
  tally.addPart();
  if (depth > DEEPEST_VALUE) throw new UnusableSpan(`values nest deeper than ${DEEPEST_VALUE}`);
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (stringValue !== undefined) return textIn(value, 'stringValue');
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue !== undefined) return integerOf(intValue);
  if (doubleValue !== undefined) return Number(doubleValue);
  if (isObject(arrayValue))
    return listIn(arrayValue, 'values').map((item) => valueOf(item, tally, depth + 1));
  if (isObject(kvlistValue)) return attributesOf(kvlistValue, tally, 'values', depth);
  if (typeof bytesValue === 'string') return Buffer.from(bytesValue, 'base64');
  return null;
}

function integerOf(value: unknown): bigint {
  const isInteger = typeof value === 'string' ? /^-?\d{1,19}$/.test(value) : Number.isInteger(value);
  const integer = isInteger ? BigInt(value as string | number) : undefined;
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return integer;
  throw new UnusableSpan('an intValue is not an integer of 64 bits');
}

const MOST_NANOS = 2n ** 64n - 1n;

export function nanosIn(holder: Members, name: string): bigint {
  const value = holder[name] ?? 0;
  const isDigits = typeof value === 'string' ? /^\d{1,20}$/.test(value) : Number.isInteger(value);
  const nanos = isDigits ? BigInt(value as string | number) : -1n;
  if (nanos < 0n || nanos > MOST_NANOS) throw new UnusableSpan(`${name} is no number of nanoseconds`);
  return nanos;
}

export function enumIn(holder: Members, name: string, names: readonly string[]): number {
  const value = holder[name] ?? 0;
  return typeof value === 'string' ? Math.max(0, names.indexOf(value)) : Math.trunc(Number(value)) || 0;
}

export function textIn(holder: Members, name: string): string {
  const value = holder[name] ?? '';
  if (typeof value !== 'string') throw new UnusableSpan(`${name} is not a text`);
  return value;
}

export function objectIn(holder: Members, name: string): Members {
  const value = holder[name];
  return isObject(value) ? value : {};
}

export function listIn(holder: Members, name: string): Members[] {
  return elementsIn(holder, name).filter(isObject);
}

/** A record that may be anything; throws `UnusableSpan` when it is no object. */
export function recordIn(element: unknown): Members {
  if (isObject(element)) return element;
  throw new UnusableSpan('a record has to be an object');
}

/** All elements of a list, those too that are no objects. */
export function elementsIn(holder: Members, name: string): unknown[] {
  const value = holder[name];
  return Array.isArray(value) ? value : [];
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
