import { hash } from 'node:crypto';

/**
 * The id of something that its reporter gives no UUID: the same parts make the same one, wherever and in whatever order
 * reports come. The first 122 bits of a SHA-256 in the layout of version 8, which
 * [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8) keeps for such ids. Each part goes in with its
 * length, so that no two lists of parts are the same bytes.
 */
export function derivedId(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`;
  const hex = hash('sha256', text, 'hex');
  const variant = VARIANTS[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Two bits of this digit are fixed. */
const VARIANTS = ['8', '9', 'a', 'b'];

/** 32 digits of hex, such as a trace id, in the form of a UUID, lower case. */
export function uuidOfHex(hex: string): string {
  const id = hex.toLowerCase();
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 32)}`;
}
