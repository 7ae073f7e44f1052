import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Ancestry, type Line } from './ancestry.js';

/** The same by going up from parent to parent. */
class Walked {
  private readonly parents = new Map<string, string | null>();

  isAbove(id: string, belowId: string): boolean {
    let at: string | null | undefined = belowId;
    while (at !== id && at) at = this.parents.get(at);
    return at === id;
  }

  hang(id: string, parentId: string | null): void {
    this.parents.set(id, parentId);
  }
}

type Forest = Pick<Ancestry, 'isAbove' | 'hang'>;

/** Whether each line closes a circle; those that do are not drawn. */
const verdictsOf = (forest: Forest, lines: readonly Line[]): boolean[] =>
  lines.map(([id, parentId]) => {
    const isCircle = parentId !== null && forest.isAbove(id, parentId);
    if (!isCircle) forest.hang(id, parentId);
    return isCircle;
  });

/** Few names make circles, repetitions and moves likely; many make deep lines. */
const someLines = fc.integer({ min: 1, max: 40 }).chain((names) => {
  const name = fc.integer({ min: 1, max: names }).map(String);
  return fc.array(fc.tuple(name, fc.option(name, { freq: 12 })), { maxLength: 200 });
});

const COUNT = 400;
/** Chains of all lengths from root to leaf, in any order, their ends tied to places above them. */
const someChains = fc
  .array(fc.option(fc.nat(COUNT), { freq: 1 }), { minLength: COUNT, maxLength: COUNT })
  .map((parents) => parents.map((parent, i): Line => [String(i), String(parent ?? i + 1)]))
  .chain((lines) => fc.shuffledSubarray([...lines, ...lines], { minLength: COUNT }));

describe('Ancestry', () => {
  it.each([
    ['names', someLines],
    ['chains', someChains],
  ])('refuses the same links as a walk up from parent to parent: %s', (_, lines) => {
    fc.assert(
      fc.property(lines, (all) => {
        expect(verdictsOf(new Ancestry(), all)).toEqual(verdictsOf(new Walked(), all));
      }),
    );
  });

  it('knows after every change who lies above whom', () => {
    fc.assert(
      fc.property(someLines, fc.nat(200), (all, split) => {
        const walked = new Walked();
        const drawn = all.filter((line) => !verdictsOf(walked, [line])[0]);
        const ancestry = new Ancestry(drawn.slice(0, split));
        for (const [id, parentId] of drawn.slice(split)) ancestry.hang(id, parentId);
        const ids = [...new Set(all.map(([id]) => id))];
        const pairs = ids.flatMap((id) => ids.map((other) => [id, other] as const));
        expect(pairs.filter(([a, b]) => ancestry.isAbove(a, b))).toEqual(
          pairs.filter(([a, b]) => walked.isAbove(a, b)),
        );
      }),
    );
  });

  it('hangs what would be its own ancestor below nothing', () => {
    const ancestry = new Ancestry([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ]);
    expect([ancestry.isAbove('c', 'a'), ancestry.isAbove('a', 'c')]).toEqual([true, false]);
  });
});
