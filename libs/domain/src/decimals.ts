import { numberParts } from './json/json-number.js';

const COST = { wholeDigits: 10, fractionDigits: 10 };
const SCORE = { wholeDigits: 1, fractionDigits: 3 };

/**
 * A cost in US dollars, exact: a number literal of JSON (`0.1`, `1.23e-7`) given as text, or a JavaScript
 * number, in its canonical decimal text without exponent (`0.000000123`). Undefined when it is negative, no
 * number, or needs more than 10 digits before or 10 after the point: nothing is rounded.
 */
export function parseCost(raw: string | number): string | undefined {
  return decimal(raw, COST);
}

/** A quality score from 0 to 1 with at most three decimals, in its canonical decimal text. */
export function parseScore(raw: string | number): string | undefined {
  const score = decimal(raw, SCORE);
  return score === undefined || Number(score) > 1 ? undefined : score;
}

/** Removes what `numeric(p, s)` pads: `0.0000123000` is answered as `0.0000123`. Throws on what is no number. */
export function plainDecimal(numeric: string): string {
  const text = decimal(numeric, {
    wholeDigits: Number.MAX_SAFE_INTEGER,
    fractionDigits: Number.MAX_SAFE_INTEGER,
  });
  if (text === undefined) throw new RangeError(`not a decimal from 0: ${numeric.slice(0, 40)}`);
  return text;
}

/** A string in quotes is a decimal too, for those who send money as text. */
function decimal(
  raw: string | number,
  { wholeDigits, fractionDigits }: { wholeDigits: number; fractionDigits: number },
): string | undefined {
  const literal = typeof raw === 'number' ? String(raw) : unquoted(raw);
  const parts = numberParts(literal);
  if (parts === undefined || parts.negative) return undefined;
  const { digits, exponent } = parts;
  if (digits === '') return '0';
  if (digits.length + exponent > wholeDigits || -exponent > fractionDigits) return undefined;
  if (exponent >= 0) return digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function unquoted(literal: string): string {
  return literal.length > 2 && literal.startsWith('"') && literal.endsWith('"')
    ? literal.slice(1, -1)
    : literal;
}
