import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pieces, piecesOf } from './pieces.js';

const heard = (pieces: readonly string[], by = new Pieces()): (string | undefined)[] =>
  pieces.map((piece) => by.add(piece));

describe('texts in pieces', () => {
  it('[E5] every text comes whole, in pieces that a notification holds, of which no two are the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 200 }),
        (text, times) => {
          const long = text.repeat(times).toWellFormed();
          const pieces = piecesOf(long);
          expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThan(8_000);
          expect(new Set(pieces).size).toBe(pieces.length);
          expect(heard(pieces)).toEqual([...pieces.slice(1).map(() => undefined), long]);
        },
      ),
    );
  });

  it('a text whose beginning was missed is left out, and the next one comes whole', () => {
    const long = piecesOf('x'.repeat(20_000));
    expect(long).toHaveLength(3);
    expect(heard([...long.slice(1), ...piecesOf('next')])).toEqual([undefined, undefined, 'next']);
    expect(heard([long[0] as string, long[2] as string, ...piecesOf('next')])).toEqual([
      undefined,
      undefined,
      'next',
    ]);
    expect(heard(['', 'x', '1/', '2/2 '])).toEqual([undefined, undefined, undefined, undefined]);
  });
});
