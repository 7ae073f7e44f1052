import { RawJson } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitting } from './fitting.js';
import { countOf, elementsOf, stringOf, textOf, within } from './json-reading.js';
import { objectOf } from './json-writing.js';
import { momentOf } from './moments.js';

const json = (text: string): RawJson => RawJson.trusted(text);

describe('reading inside JSON that stays text', () => {
  it('The elements of any array are found, each as it was sent', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, indent) => {
        const elements = elementsOf(json(JSON.stringify(values, null, indent)));
        expect(elements?.map((element) => element.parse())).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
    expect(elementsOf(json('[ 1e2 ,"a\\"],[", [[2 ]] ]'))?.map(({ text }) => text)).toEqual([
      '1e2',
      '"a\\"],["',
      '[[2 ]]',
    ]);
    expect([elementsOf(json('{}')), elementsOf(json('"[1]"'))]).toEqual([undefined, undefined]);
  });

  it('A path leads to a value, and to nothing where there is none or null', () => {
    const value = json('{"a":[{"__proto__":1},null],"constructor":{"b":"x"}}');
    expect(within(value, 'a', 0, '__proto__')?.text).toBe('1');
    expect(within(value, 'constructor', 'b')?.text).toBe('"x"');
    for (const path of [['a', 1], ['a', 2], ['toString'], ['a', 'length'], [0]]) {
      expect(within(value, ...path)).toBeUndefined();
    }
  });

  it('Counts are whole and exact or no counts', () => {
    const counts = ['0', '12', '1e3', '2.0', '9007199254740991'].map((text) => countOf(json(text)));
    expect(counts).toEqual([0, 12, 1000, 2, 9_007_199_254_740_991]);
    for (const none of ['-1', '1.5', '9007199254740993', '"1"', 'null', '[1]'])
      expect(countOf(json(none))).toBeUndefined();
    expect([textOf(json('""')), stringOf(json('""')), textOf(json('1'))]).toEqual([undefined, '', undefined]);
  });

  it('An object is written with its names as they are', () => {
    const members: [string, RawJson][] = [
      ['__proto__', json('1e2')],
      ['"', json('{"a":1,"a":2}')],
    ];
    expect(objectOf(members).text).toBe('{"__proto__":1e2,"\\"":{"a":1,"a":2}}');
  });

  it('Long names end in a mark and in no half of a character', () => {
    expect([fitting('abcd', 4), fitting('abcde', 4), fitting('ab🎉d', 4)]).toEqual(['abcd', 'abc…', 'ab…']);
  });

  it('Moments are read from texts and from milliseconds, to the microsecond', () => {
    const moments = [
      '"2026-11-29T15:24:02.379001"',
      '"2026-11-29T16:24:02.379001+01:00"',
      '1795965842379.001',
    ];
    for (const moment of moments) expect(momentOf(json(moment))).toBe('2026-11-29T15:24:02.379001Z');
    for (const none of ['"now"', '-5', '1e3', '99999999999999999', 'true', '""'])
      expect(momentOf(json(none))).toBeUndefined();
  });
});
