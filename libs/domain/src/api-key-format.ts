import type { ScopeKind } from '@agentflow/contracts';
import { type Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a well-formed key says of itself. That it is anybody's key is for the database to say. */
export interface ParsedKey {
  /** The scope that its prefix claims; the record decides. */
  readonly kind: ScopeKind;
  readonly publicId: string;
  /** The whole key, as it goes into `digestKey`. */
  readonly text: string;
}

export const PUBLIC_ID_LENGTH = 12;
export const SECRET_LENGTH = 43;

const PREFIXES = { organization: 'org', project: 'prj', agent: 'agt' } as const satisfies Record<
  ScopeKind,
  string
>;
const KINDS = { org: 'organization', prj: 'project', agt: 'agent' } as const satisfies Record<
  string,
  ScopeKind
>;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

const PUBLIC_ID = /^[0-9A-Za-z]{12}$/;
const SECRET = /^[0-9A-Za-z]{43}$/;
const KEY = /^af_(org|prj|agt)_([0-9A-Za-z]{12})_[0-9A-Za-z]{49}$/;

/**
 * The text of a key: `af_{org|prj|agt}_{public id}_{secret}{checksum}`, all base62. The checksum is the
 * CRC-32 of everything before it, so that typos and secret scanners need no database. Throws a RangeError
 * when a part has the wrong form.
 */
export function composeKey(kind: ScopeKind, publicId: string, secret: string): string {
  if (!PUBLIC_ID.test(publicId)) throw new RangeError('a public id is 12 characters of base62');
  if (!SECRET.test(secret)) throw new RangeError('a secret is 43 characters of base62');
  const body = `af_${PREFIXES[kind]}_${publicId}_${secret}`;
  return body + checksum(body);
}

/** Takes a key apart; undefined when its form or its checksum is wrong. */
export function parseKey(text: string): ParsedKey | undefined {
  const match = KEY.exec(text);
  if (match === null || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH))
    return undefined;
  const [, prefix, publicId] = match as unknown as [string, keyof typeof KINDS, string];
  return { kind: KINDS[prefix], publicId, text };
}

/**
 * SHA-256 of the whole key, 32 bytes: what is stored, and compared in constant time. A fast hash is enough
 * for 256 random bits. `crypto.hash` takes 0.6 of the time of `createHash` here.
 */
export function digestKey(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * `length` characters of base62 out of random bytes, each character equally likely: bytes of 248 and more
 * are passed over, because 256 is no multiple of 62. Throws a RangeError when the bytes do not suffice;
 * `base62BytesFor(length)` of them do, but for a chance below 2^-80.
 */
export function base62(bytes: Uint8Array, length: number): string {
  let text = '';
  for (const byte of bytes) {
    if (text.length === length) break;
    if (byte < LARGEST_MULTIPLE) text += ALPHABET[byte % ALPHABET.length];
  }
  if (text.length < length)
    throw new RangeError(`${bytes.length} bytes are too few for ${length} characters`);
  return text;
}

/** How many random bytes `base62` wants for so many characters. One in 32 is passed over. */
export function base62BytesFor(length: number): number {
  return length + Math.ceil(length / 8) + 32;
}

const LARGEST_MULTIPLE = 248;

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
