import { ZERO } from './character-codes.js';

/**
 * A number literal taken apart, exactly: ± `digits` × 10^`exponent`. `digits` has neither leading nor
 * trailing zeros, and is empty for zero. Two literals mean the same number just when their parts agree
 * (zero has no sign: `-0` is 0).
 */
export interface NumberParts {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const LITERAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Takes a JSON number literal apart; undefined when the text is not one. Linear in its length. */
export function numberParts(literal: string): NumberParts | undefined {
  const match = LITERAL.exec(literal);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  const first = firstNonZero(all);
  if (first === all.length) return { negative: false, digits: '', exponent: 0 };
  const end = afterLastNonZero(all);
  const exponent = Number(power) - fraction.length + (all.length - end);
  return { negative: sign === '-', digits: all.slice(first, end), exponent };
}

/**
 * One spelling per number, in full precision: `1`, `1.0`, `1e0` and `10e-1` give `1`; 100 gives `1e2`,
 * 0.5 gives `5e-1`. It is itself a JSON number literal. The literal must be one.
 */
export function canonicalNumber(literal: string): string {
  if (PLAIN_INTEGER.test(literal)) return literal;
  const parts = numberParts(literal);
  if (parts === undefined) throw new SyntaxError(`not a JSON number: ${literal.slice(0, 40)}`);
  if (parts.digits === '') return '0';
  const power = parts.exponent === 0 ? '' : `e${parts.exponent}`;
  return `${parts.negative ? '-' : ''}${parts.digits}${power}`;
}

/** Integers that are their own canonical spelling; by far the most common numbers. */
const PLAIN_INTEGER = /^(?:0|-?(?:[1-9]\d*)?[1-9])$/;

/**
 * How many characters Postgres prints for the literal once it is a `numeric` (as `jsonb` stores it), at
 * most: it never uses an exponent, so `1e308` takes 309 characters and `1e-308` takes 310.
 */
export function printedLength(literal: string): number {
  const match = LITERAL.exec(literal);
  if (match === null) return literal.length;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const exponent = Number(power);
  const before = Math.max(1, whole.length + exponent);
  const after = Math.max(0, fraction.length - exponent);
  return sign.length + before + (after > 0 ? after + 1 : 0);
}

function firstNonZero(digits: string): number {
  let at = 0;
  while (at < digits.length && digits.charCodeAt(at) === ZERO) at++;
  return at;
}

function afterLastNonZero(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return end;
}
