import { difference } from './difference.js';

describe('what an act changed', () => {
  it('is what differs of the members that are told, before and after', () => {
    const before = { name: 'a', version: 1, note: 'x' };
    const after = { name: 'b', version: 1, note: 'y' };
    expect(difference(['name', 'version'], before, after)).toEqual({
      before: { name: 'a' },
      after: { name: 'b' },
    });
  });

  it('is nothing when they are equal', () => {
    const [before, after] = [
      { name: null, other: 1 },
      { name: null, other: 2 },
    ];
    expect(difference(['name'], before, after)).toBeUndefined();
  });
});
