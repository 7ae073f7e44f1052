import { type Buffer, isUtf8 } from 'node:buffer';

/**
 * The text of a body, or undefined when its bytes are not UTF-8. Strict: nothing is replaced by U+FFFD,
 * overlong forms and encoded surrogates are refused, and a byte order mark stays in the text (where the
 * scanner refuses it).
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
