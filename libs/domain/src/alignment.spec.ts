import fc from 'fast-check';
import { align } from './alignment.js';

const labels = fc.array(fc.constantFrom('plan', 'tool', 'judge', 'write'), { maxLength: 40 });

/** The length of a longest common subsequence, by the table. */
function longest(a: readonly string[], b: readonly string[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const label of a) {
    const row = [0];
    b.forEach((other, j) => {
      row.push(label === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0));
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}

const pairsOf = (a: string, b: string) => align([...a], [...b]).pairs;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('align', () => {
  it('pairs what is equal, in order, and passes over the rest', () => {
    expect(pairsOf('abcd', 'abxcd')).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
      [3, 4],
    ]);
    expect(pairsOf('abc', 'xyz')).toEqual([]);
    expect(pairsOf('', 'abc')).toEqual([]);
    expect(pairsOf('ab', 'ba')).toHaveLength(1);
  });

  it('pairs each element once, rising, with an equal one, and as many as can be', () => {
    fc.assert(
      fc.property(labels, labels, (a, b) => {
        const { pairs, isLongest } = align(a, b);
        for (const [x, y] of pairs) expect(a[x]).toBe(b[y]);
        for (const [i, [x, y]] of pairs.entries()) {
          const [beforeX, beforeY] = pairs[i - 1] ?? [-1, -1];
          expect(x > beforeX && y > beforeY).toBe(true);
        }
        expect([pairs.length, isLongest]).toEqual([longest(a, b), true]);
      }),
      { numRuns: 500 },
    );
  });

  it('swapping the sequences swaps the pairs', () => {
    fc.assert(
      fc.property(labels, labels, (a, b) => {
        expect(align(b, a).pairs).toEqual(align(a, b).pairs.map(([x, y]) => [y, x]));
      }),
      { numRuns: 500 },
    );
  });

  it('pairs a sequence with itself one by one', () => {
    const a = upTo(30_000).map((i) => `${i % 7}`);
    expect(align(a, a).pairs).toEqual(upTo(30_000).map((i) => [i, i]));
  });

  it('stays bounded where thousands differ: what is found is in order and large, and is told to be perhaps not the longest', () => {
    const a = upTo(30_000).map((i) => `${(i * 7919) % 13}`);
    const b = upTo(30_000).map((i) => `${(i * i * 31) % 13}`);
    const { pairs, isLongest } = align(a, b);
    expect(isLongest).toBe(false);
    expect(pairs.length).toBeGreaterThan(5_000);
    expect(
      pairs.every(
        ([x, y], i) => a[x] === b[y] && x > (pairs[i - 1]?.[0] ?? -1) && y > (pairs[i - 1]?.[1] ?? -1),
      ),
    ).toBe(true);
    expect(align(b, a).pairs).toEqual(pairs.map(([x, y]) => [y, x]));
  });
});
