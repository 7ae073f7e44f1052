import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, uuidOfHex } from './derived-id.js';

describe('an id that is derived from names', () => {
  it('[O4] The same names give the same id, a UUID of version 8 that stays as it is', () => {
    expect(derivedId('trace', 'span')).toBe(derivedId('trace', 'span'));
    expect(derivedId('trace', 'span')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(derivedId('a', 'b')).toBe('facdde7a-bf1e-8c5b-b012-73ab2e282f79');
  });

  it('Other names give another id, wherever one ends and the next begins', () => {
    const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(names, names, (some, others) => {
        const isSame = JSON.stringify(some) === JSON.stringify(others);
        expect(derivedId(...some) === derivedId(...others)).toBe(isSame);
      }),
    );
    const texts = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['1:a'], ['a', '1:']];
    expect(new Set(texts.map((parts) => derivedId(...parts))).size).toBe(texts.length);
  });

  it('A trace id is a UUID without its dashes', () => {
    expect(uuidOfHex('0AF7651916cd43dd8448eb211c80319c')).toBe('0af76519-16cd-43dd-8448-eb211c80319c');
  });
});
