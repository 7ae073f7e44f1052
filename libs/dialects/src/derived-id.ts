import { hash } from 'node:crypto';

/**
 * The id of something that its reporter gives no UUID: the same parts make the same one, wherever and in whatever order
 * reports come. The first 122 bits of a SHA-256 in the layout of version 8, which
 * [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8) keeps for such ids. Each part goes in with its
 * length, so that no two lists of parts are the same bytes.
 */
export function derivedId(...parts: readonly string[]): string {
  const bytes = hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''), 'hex');
  const version = (Number.parseInt(bytes.slice(12, 14), 16) & 0x0f) | 0x80;
  const variant = (Number.parseInt(bytes.slice(16, 18), 16) & 0x3f) | 0x80;
  return uuidOfHex(
    bytes.slice(0, 12) +
      version.toString(16) +
      bytes.slice(14, 16) +
      variant.toString(16) +
      bytes.slice(18, 32),
  );
}

/** 32 digits of hex, such as a trace id, in the form of a UUID, lower case. */
export function uuidOfHex(hex: string): string {
  const id = hex.toLowerCase();
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 32)}`;
}
