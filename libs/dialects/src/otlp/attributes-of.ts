import type { Attributes, AttributeValue } from './span.js';

/** The value under the first of several names that is there; null counts as absent. */
export function firstOf(attributes: Attributes, names: readonly string[]): AttributeValue | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first text under several names that is not empty. */
export function textOf(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The first count under several names: a whole number from 0, as an integer, a double or digits. */
export function countOf(attributes: Attributes, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = Number(digitsOf(attributes.get(name)));
    if (Number.isSafeInteger(count) && count >= 0) return count;
  }
  return undefined;
}

function digitsOf(value: AttributeValue | undefined): string | number | bigint | undefined {
  if (typeof value === 'string') return /^\d+$/.test(value) ? value : undefined;
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
