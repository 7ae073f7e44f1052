import { DEFAULT_JSON_LIMITS, type JsonFault, type JsonLimits } from './json-fault.js';
import { jsonPointer, pathTo } from './json-pointer.js';
import { JsonScanner, UnreadableJson } from './json-scanner.js';
import { faultOfPayload, type PayloadKind } from './payload-check.js';
import { RawJson } from './raw-json.js';

export type PayloadReading =
  { readonly ok: true; readonly value: RawJson } | { readonly ok: false; readonly fault: JsonFault };

/**
 * Reads a text that is one payload by itself (a part of a multipart body, a JSON string inside an attribute)
 * under the same rules as a payload inside an envelope. The pointer of a fault starts at the payload.
 */
export function readPayload(
  text: string,
  kind: PayloadKind = 'opaque',
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): PayloadReading {
  try {
    const scanner = new JsonScanner(text, limits.depth);
    const start = scanner.skipSpace(0);
    const end = scanner.skipValue(start);
    scanner.expectEnd(end);
    const fault = faultOfPayload(scanner, start, end, kind, limits, []);
    return fault === undefined
      ? { ok: true, value: RawJson.trusted(text.slice(start, end)) }
      : { ok: false, fault };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { ok: false, fault: unreadableFault(text, error) };
  }
}

/** The fault for a text that cannot be read to its end. */
export function unreadableFault(text: string, { kind, offset, detail }: UnreadableJson): JsonFault {
  return { kind, pointer: jsonPointer(pathTo(text, 0, offset)), detail };
}
