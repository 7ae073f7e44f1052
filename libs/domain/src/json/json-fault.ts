/**
 * Why a text is not taken:
 * - `malformed`: it is not JSON (or not an object where one is due), or absurd (1,000 members in the outermost
 *   envelope), so nothing in it is read;
 * - `duplicate`: one envelope names a member twice, and nobody can say which was meant;
 * - `unkeepable`: legal JSON that the database cannot hold or that would poison a reader;
 * - `too_large`: a payload or a list over its limit.
 *
 * A reading that ended at a fault has no value; after all others the rest of the text was read.
 */
export type JsonFaultKind = 'malformed' | 'duplicate' | 'unkeepable' | 'too_large';

/** One fault: where (RFC 6901, at most about 1,000 characters, then the nearest ancestor) and a sentence. */
export interface JsonFault {
  readonly kind: JsonFaultKind;
  readonly pointer: string;
  readonly detail: string;
}

export interface JsonLimits {
  /** Levels of arrays and objects inside one payload; the envelope around it is not counted. */
  readonly depth: number;
  /** UTF-8 bytes of one payload. */
  readonly payloadBytes: number;
  /** Elements of one list of envelopes; 10,000 when absent. A longer list ends the reading. */
  readonly items?: number;
}

/** The limits in force when nothing else is configured: 64 levels, 4 MiB. */
export const DEFAULT_JSON_LIMITS: JsonLimits = { depth: 64, payloadBytes: 4 * 1024 * 1024 };
