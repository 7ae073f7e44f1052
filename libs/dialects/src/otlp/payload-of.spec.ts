import { describe, expect, it } from '@jest/globals';
import type { AttributeValue } from './span.js';
import { payloadOf, Unkeepable } from './payload-of.js';

const text = (value: AttributeValue): string => payloadOf(value).text;
const refused = (value: AttributeValue): boolean => {
  try {
    payloadOf(value);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(Unkeepable);
    return true;
  }
};

describe('the payload that an attribute stands for', () => {
  it('[F1] [F4] A text that holds JSON is that very JSON: integers, order and names of members as they were sent', () => {
    for (const json of [
      '{"n":12345678901234567890,"__proto__":{"x":1},"constructor":2,"":3}',
      '[1.0,1e2,-0]',
      '9007199254740993',
      'true',
      'null',
      '"quoted"',
      '{"a":1,"a":2}',
    ]) {
      expect(text(json)).toBe(json);
    }
    expect(text(' {"a": 1}\n')).toBe('{"a": 1}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('Another text is a string, whatever it looks like', () => {
    for (const word of ['found a', '', '{not json', 'NaN', '1e400', '0123', '[1,', 'a "b" \\ \n é']) {
      expect(JSON.parse(text(word))).toBe(word);
    }
  });

  it('[F4] [O9] A value with a structure is written out exactly, hostile names with it', () => {
    const members = new Map<string, AttributeValue>([
      ['__proto__', 9007199254740993n],
      ['a.b', [1.5, true, null]],
      ['bytes', Buffer.from([1, 2, 255])],
      ['nan', NaN],
      ['text', '{"kept":"as text"}'],
    ]);
    expect(text(members)).toBe(
      '{"__proto__":9007199254740993,"a.b":[1.5,true,null],"bytes":"AQL/","nan":"NaN","text":"{\\"kept\\":\\"as text\\"}"}',
    );
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('[F2] [F3] [F5] [F7] What cannot be stored, or would poison a reader, is refused and never altered', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    for (const value of [
      'a\0b',
      'half a pair \ud800',
      '{"a":"\\u0000"}',
      '{"\\ud800":1}',
      '{"n":1e400}',
      deep(65),
      deep(5_000),
      new Map([['a\0', 1n]]),
    ]) {
      expect([value, refused(value)]).toEqual([value, true]);
    }
    expect(refused(deep(64))).toBe(false);
  });
});
