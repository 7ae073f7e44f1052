import fc from 'fast-check';
import { normalizeName } from './names.js';

describe('[V12] normalizeName', () => {
  it.each([
    ['Ame\u0301lie', 'Amélie'],
    ['Am\u00e9lie', 'Amélie'],
    ['  support agent\t\n', 'support agent'],
    ['\u00a0\u3000x\u2003', 'x'],
    ['客服 🎉', '客服 🎉'],
    ['I \u2764\ufe0f agents', 'I \u2764\ufe0f agents'],
    ['<b>"it\'s"</b> a/b', '<b>"it\'s"</b> a/b'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['🎉'.repeat(128), '🎉'.repeat(128)],
    ['e\u0301'.repeat(128), 'é'.repeat(128)],
    [`${' '.repeat(1_000_000)}x${' '.repeat(1_000_000)}`, 'x'],
  ])('takes %j', (raw, name) => {
    expect(normalizeName(raw)).toEqual({ name });
  });

  it.each(['', ' ', '\t\r\n', '\u00a0\u2003\u3000'])('refuses %j as empty', (raw) => {
    expect(normalizeName(raw)).toEqual({ reason: 'must not be empty' });
  });

  it.each([
    ['a right-to-left override', 'abc\u202efdp.exe'],
    ['a bidirectional isolate', '\u2066abc\u2069'],
    ['a right-to-left mark', 'abc\u200f'],
    ['a zero-width space', 'ab\u200bc'],
    ['a zero-width joiner', 'ab\u200dc'],
    ['a word joiner', 'ab\u2060c'],
    ['a byte order mark in front', '\ufeffabc'],
    ['a soft hyphen', 'ab\u00adc'],
    ['a filler that is drawn as nothing', '\u3164'],
    ['a tag character', 'a\u{e0041}'],
    ['a variation selector on a letter', 'a\ufe0fb'],
    ['NUL', 'a\u0000b'],
    ['a line feed inside', 'a\nb'],
    ['an escape', 'a\u001b[31mb'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator inside', 'a\u2028b'],
    ['a high surrogate', 'a\ud800'],
    ['a low surrogate', '\udc00a'],
    ['a reversed pair', '\udf89\ud83c'],
  ])('refuses %s', (_, raw) => {
    expect(normalizeName(raw)).toEqual({ reason: expect.stringMatching(/control/) });
  });

  it.each(['x'.repeat(129), '🎉'.repeat(129), 'x'.repeat(1_000_000), 'e\u0301'.repeat(129)])(
    'refuses more than 128 characters (%#)',
    (raw) => {
      expect(normalizeName(raw)).toEqual({ reason: expect.stringMatching(/128/) });
    },
  );

  it('gives one name to all normal forms of it, and changes a normal name no more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (raw) => {
        const once = normalizeName(raw);
        expect(normalizeName(raw.normalize('NFD'))).toEqual(once);
        if ('name' in once) expect(normalizeName(once.name)).toEqual(once);
      }),
    );
  });
});
