import { Buffer } from 'node:buffer';

import type { JsonFault, JsonLimits } from './json-fault.js';
import { jsonPointer, pathTo, type PathSegment } from './json-pointer.js';
import type { JsonScanner } from './json-scanner.js';

/** How a payload will be stored: `opaque` as `json` text, `structured` as `jsonb`. */
export type PayloadKind = 'opaque' | 'structured';

/**
 * Judges the payload that the scanner has just passed, from `start` to `end`. At most one fault: the first
 * flaw in it, else its size, else (structured only) how it would be printed.
 */
export function faultOfPayload(
  scanner: JsonScanner,
  start: number,
  end: number,
  kind: PayloadKind,
  limits: JsonLimits,
  path: readonly PathSegment[],
): JsonFault | undefined {
  const { text, flaw, growth } = scanner;
  if (flaw !== undefined) {
    const pointer = jsonPointer([...path, ...pathTo(text, start, flaw.offset)]);
    return { kind: 'unkeepable', pointer, detail: flaw.detail };
  }
  if (isLarger(text, start, end, limits.payloadBytes)) {
    const detail = `The value is larger than ${limits.payloadBytes} bytes.`;
    return { kind: 'too_large', pointer: jsonPointer(path), detail };
  }
  if (kind === 'structured' && growth > 3 * (end - start) + 64) {
    const detail = 'The value holds numbers that take over four times as many characters without exponents.';
    return { kind: 'unkeepable', pointer: jsonPointer(path), detail };
  }
  return undefined;
}

/** A UTF-16 unit takes one to three bytes of UTF-8, so most payloads are judged without counting. */
function isLarger(text: string, start: number, end: number, bytes: number): boolean {
  const units = end - start;
  if (units * 3 <= bytes) return false;
  return units > bytes || Buffer.byteLength(text.slice(start, end), 'utf8') > bytes;
}
