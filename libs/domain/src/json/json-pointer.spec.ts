import { jsonPointer, pathTo } from './json-pointer.js';

describe('jsonPointer', () => {
  it('escapes as RFC 6901 says', () => {
    expect(jsonPointer(['a/b', 'm~n', '', 0, '__proto__'])).toBe('/a~1b/m~0n//0/__proto__');
  });

  it('ends at an ancestor when it grows too long for an answer', () => {
    expect(jsonPointer(['a', 'k'.repeat(10_000), 'b'])).toBe('/a');
    expect(jsonPointer(Array(5_000).fill(0)).length).toBeLessThanOrEqual(1_000);
  });
});

describe('pathTo', () => {
  const text = '{"a":[1,{"b,]}\\"":[]},"HERE"],"c":{"d":0},"e":"THERE"}';

  it.each([
    ['"HERE"', ['a', 2]],
    ['[]', ['a', 1, 'b,]}"']],
    ['0}', ['c', 'd']],
    ['"THERE"', ['e']],
    ['"d"', ['c']],
    ['{"a"', []],
  ])('finds the way to %s', (target, path) => {
    expect(pathTo(text, 0, text.indexOf(target))).toEqual(path);
  });
});
