import { DEEPEST_VALUE, UnusableSpan } from './decoding.js';
import type { AttributeValue, Attributes, Span } from './span.js';

/* The values of OTLP's JSON, by its mapping. What a span or a log record cannot be kept with throws `UnusableSpan`. */

export type Members = Record<string, unknown>;

/** A text that does not end is one token, too: otherwise each of its quotes would be tried again as a beginning. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/** The object that a body is; nothing when it is none. */
export function bodyOf(text: string): { body: Members } | { detail: string } {
  try {
    const body: unknown = JSON.parse(withExactIntegers(text));
    return isObject(body) ? { body } : { detail: 'it is not an object' };
  } catch {
    return { detail: 'it is not JSON' };
  }
}

/** Numbers of more than 53 bits as texts, which the mapping allows: `JSON.parse` would round them. */
function withExactIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
}

export function scopeOf(scope: Members): Span['scope'] {
  return {
    name: textIn(scope, 'name'),
    version: textIn(scope, 'version'),
    attributes: attributesOf(scope),
  };
}

export function attributesOf(holder: Members, name = 'attributes', depth = 0): Attributes {
  return new Map(
    listIn(holder, name).map((pair) => [textIn(pair, 'key'), valueOf(objectIn(pair, 'value'), depth + 1)]),
  );
}

export function valueOf(value: Members, depth: number): AttributeValue {
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
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
