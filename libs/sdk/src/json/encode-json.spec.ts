import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { encodeJson } from './encode-json.js';
import { rawJson } from './raw-json.js';

const circular = (): object => {
  const node: Record<string, unknown> = { name: 'a' };
  node['children'] = [{ parent: node }];
  return node;
};

class Account {
  id = 1;
}

describe('encodeJson', () => {
  it('[F1] Every JSON value is sent as it is, hostile names included', () => {
    const names = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'then', '', '.', '$'),
      fc.string(),
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.array(tie('value')),
        fc.dictionary(names, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) =>
        expect(JSON.parse(encodeJson({ value }))).toEqual({ value: plain(value) }),
      ),
    );
  });

  it('[F1] Raw JSON is sent digit for digit, and has to be JSON', () => {
    expect(encodeJson({ input: { id: rawJson('12345678901234567890.10') } })).toBe(
      '{"input":{"id":12345678901234567890.10}}',
    );
    expect(() => rawJson('{"a":')).toThrow(SyntaxError);
  });

  it('A member that is undefined is left out; the same object twice is no circle', () => {
    const twice = { a: 1 };
    expect(encodeJson({ b: undefined, c: twice, d: [twice, twice] })).toBe(
      '{"c":{"a":1},"d":[{"a":1},{"a":1}]}',
    );
  });

  it('Plain objects of another realm are plain', () => {
    expect(encodeJson({ input: runInNewContext('({ a: [1] })') })).toBe('{"input":{"a":[1]}}');
  });

  it.each([
    ['a circle', { input: circular() }, 'input.children[0].parent is one of its own parents'],
    [
      'a BigInt',
      { state: { total: 10n } },
      'state.total is a BigInt; send a text, or rawJson(String(value))',
    ],
    [
      'a Date',
      { input: { 'born on': new Date(0) } },
      'input["born on"] is an instance of Date; send its toISOString()',
    ],
    ['a Map', { input: [new Map()] }, 'input[0] is an instance of Map; send Object.fromEntries(map)'],
    ['a Set', { input: new Set([1]) }, 'input is an instance of Set; send [...set]'],
    [
      'an Error',
      { output: new RangeError('no') },
      'output is an instance of RangeError; send its name and message',
    ],
    [
      'bytes',
      { input: new Uint8Array(2) },
      'input is an instance of Uint8Array; send a text, such as base64',
    ],
    ['a class', { input: new Account() }, 'input is an instance of Account; send a plain object'],
    ['a function', { input: { run: () => 1 } }, 'input.run is a function'],
    ['a symbol', { input: Symbol('s') }, 'input is a symbol'],
    ['not a number', { input: { x: [Number.NaN] } }, 'input.x[0] is NaN; JSON has no such value'],
    ['infinity', { input: -Infinity }, 'input is -Infinity'],
    ['undefined in a list', { input: [1, undefined] }, 'input[1] is undefined'],
    ['a hole in a list', { input: new Array(1) }, 'input[0] is undefined'],
    ['a getter that throws', { input: { get x() { throw new Error('no'); } } }, 'input.x is a getter that throws'], // prettier-ignore
  ])('What JSON cannot say is refused by its path: %s', (_what, body, message) => {
    expect(() => encodeJson(body)).toThrow(TypeError);
    expect(() => encodeJson(body)).toThrow(message);
  });

  it('What is nested too deep is refused before the stack ends', () => {
    let deep: unknown = 0;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(() => encodeJson({ deep })).toThrow('nested over 256 deep');
  });
});

/** As JSON.parse makes it: -0 is 0, and objects have a prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
