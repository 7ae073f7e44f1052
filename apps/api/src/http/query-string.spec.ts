import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MALFORMED, parseQueryString } from './query-string.js';

const read = (text: string): Record<string, unknown> => ({ ...parseQueryString(text) });

describe('parseQueryString', () => {
  it('reads names and values, with plus signs and percent-encoding', () => {
    expect(read('a=1&b=x+y%2Bz&c=%C3%A9%F0%9F%98%80&d')).toEqual({ a: '1', b: 'x y+z', c: 'é😀', d: '' });
    expect(read('')).toEqual({});
    expect(read('&&a=b=c&')).toEqual({ a: 'b=c' });
    expect(read('=x')).toEqual({ '': 'x' });
  });

  it('keeps every value of a name that is given more than once', () => {
    expect(read('a=1&a=2&a=&b=3')).toEqual({ a: ['1', '2', ''], b: '3' });
  });

  it('marks what is no percent-encoded UTF-8, and does not take it as it stands', () => {
    for (const text of [
      'a=%zz',
      'a=%',
      'a=%f',
      'a=%ff',
      'a=%ed%a0%80',
      'a=%c0%80',
      'a=é',
      'a=1&a=%',
      'a=%&a=1',
    ]) {
      expect(read(text)['a']).toBe(MALFORMED);
    }
    expect(read('%zz=1')['%zz']).toBe(MALFORMED);
  });

  it('takes names such as __proto__ and constructor for names', () => {
    const values = parseQueryString('__proto__=1&constructor=2&__proto__=3');
    expect(Object.entries(values)).toEqual([
      ['__proto__', ['1', '3']],
      ['constructor', '2'],
    ]);
    expect(Object.getPrototypeOf(values)).toBeNull();
  });

  it('gives back whatever was encoded', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (pairs) => {
        const encoded = new URLSearchParams(pairs).toString();
        const expected = new Map<string, string | string[]>();
        for (const [name, value] of pairs) {
          const known = expected.get(name);
          expected.set(name, known === undefined ? value : [known, value].flat());
        }
        expect(Object.entries(parseQueryString(encoded))).toEqual(
          Object.entries(Object.fromEntries([...expected])),
        );
      }),
    );
  });
});
