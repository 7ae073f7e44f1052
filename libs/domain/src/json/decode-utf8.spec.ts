import { decodeUtf8 } from './decode-utf8.js';

describe('decodeUtf8', () => {
  it('decodes what is UTF-8, four-byte characters included', () => {
    expect(decodeUtf8(Buffer.from('añ日🎉'))).toBe('añ日🎉');
    expect(decodeUtf8(Buffer.alloc(0))).toBe('');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['a cut character', [0xf0, 0x9f, 0x8e]],
    ['an overlong form', [0xc0, 0x80]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point over U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('refuses %s and replaces nothing', (_, bytes) => {
    expect(decodeUtf8(Buffer.from(bytes))).toBeUndefined();
  });

  it('keeps a byte order mark, for the reader to refuse', () => {
    expect(decodeUtf8(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toBe('\ufeff{}');
  });
});
