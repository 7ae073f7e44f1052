import fc from 'fast-check';
import { countedUsage, type UsageStep } from './usage.js';

const step = (id: string, parentId: string | null, carriesUsage = true): UsageStep => ({
  id,
  parentId,
  carriesUsage,
});
const counted = (...steps: UsageStep[]) => [...countedUsage(steps)].sort();

describe('countedUsage', () => {
  it('counts the model calls and not the agent that repeats them', () => {
    expect(counted(step('agent', null), step('llm1', 'agent'), step('llm2', 'agent'))).toEqual([
      'llm1',
      'llm2',
    ]);
  });

  it('looks through steps without usage', () => {
    const steps = [
      step('agent', null),
      step('chain', 'agent', false),
      step('llm', 'chain'),
      step('tool', 'llm', false),
    ];
    expect(counted(...steps)).toEqual(['llm']);
  });

  it('counts an agent whose children report nothing', () => {
    expect(counted(step('agent', null), step('tool', 'agent', false))).toEqual(['agent']);
  });

  it('takes a parent that is not there for none', () => {
    expect(counted(step('a', 'gone'), step('b', 'a'))).toEqual(['b']);
  });

  it('counts every step of a circle, rather than none or for ever', () => {
    expect(counted(step('a', 'b'), step('b', 'a'))).toEqual(['a', 'b']);
    expect(counted(step('a', 'a'))).toEqual(['a']);
    expect(counted(step('a', 'b'), step('b', 'c'), step('c', 'b'), step('d', 'a'))).toEqual(['c', 'd']);
  });

  it('agrees with the definition on any forest, in any order', () => {
    const links = fc.array(fc.tuple(fc.nat(20), fc.boolean()), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(links, fc.boolean(), (list, isReversed) => {
        const steps = list.map(([parent, carries], i) =>
          step(`s${i}`, parent < i ? `s${parent}` : null, carries),
        );
        const byId = new Map(steps.map((each) => [each.id, each]));
        const isBelow = (id: string | null, ancestor: string): boolean =>
          id !== null && (id === ancestor || isBelow(byId.get(id)?.parentId ?? null, ancestor));
        const expected = steps.filter(
          (each) =>
            each.carriesUsage &&
            !steps.some((other) => other.carriesUsage && isBelow(other.parentId, each.id)),
        );
        expect(counted(...(isReversed ? steps.toReversed() : steps))).toEqual(
          expected.map(({ id }) => id).sort(),
        );
      }),
    );
  });

  it('walks a chain of 100,000 steps', () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => step(`s${i}`, i === 0 ? null : `s${i - 1}`));
    expect(counted(...chain)).toEqual(['s99999']);
  });
});
