import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, QUOTE, SPACE } from './character-codes.js';

// Steps over text that is already known to be JSON. They check nothing; the scanner does.

/** The offset of the next character that is not insignificant whitespace. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** The offset after the string that opens at `open`; linear, also when it is nothing but backslashes. */
export function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close, open)) close = text.indexOf('"', close + 1);
  return close < 0 ? text.length : close + 1;
}

/** The offset after the number, `true`, `false` or `null` that starts at `start`. */
export function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
  return at;
}

/** The string between the two quotes, with its escapes resolved. */
export function decodedString(text: string, open: number, end: number): string {
  const inner = text.slice(open + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(open, end)) as string) : inner;
}

function isEscaped(text: string, quote: number, open: number): boolean {
  let before = quote - 1;
  while (before > open && text.charCodeAt(before) === BACKSLASH) before--;
  return quote >= 0 && (quote - 1 - before) % 2 === 1;
}

function endsScalar(code: number): boolean {
  return code <= SPACE || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT || code === QUOTE;
}
