import { createHash } from 'node:crypto';

/**
 * The id of something that its reporter gives no UUID: the same parts make the same one, wherever and in whatever order
 * reports come. The first 122 bits of a SHA-256 in the layout of version 8, which
 * [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8) keeps for such ids. Each part goes in with its
 * length, so that no two lists of parts are the same bytes.
 */
export function derivedId(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOfHex(bytes.toString('hex'));
}

/** 32 digits of hex, such as a trace id, in the form of a UUID, lower case. */
export function uuidOfHex(hex: string): string {
  return hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
