import fc from 'fast-check';
import { encodeJson } from './encode-json.js';
import { RawJson } from './raw-json.js';

describe('encodeJson', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(encodeJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('writes any string as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(encodeJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
      }),
    );
    expect(encodeJson('\ud800 \u2028 \u007f \u0000')).toBe(JSON.stringify('\ud800 \u2028 \u007f \u0000'));
  });

  it('splices payloads in as they stand, at any depth', () => {
    const raw = RawJson.trusted('{"big":107505301260286111,"n":1.0}');
    expect(encodeJson({ a: raw, list: [raw, { b: raw }] })).toBe(
      `{"a":${raw.text},"list":[${raw.text},{"b":${raw.text}}]}`,
    );
  });

  it('drops undefined members, keeps the place of undefined elements, writes bigints as numbers', () => {
    expect(encodeJson({ a: undefined, b: [undefined, 1n], c: 2n ** 64n, d: {} })).toBe(
      '{"b":[null,1],"c":18446744073709551616,"d":{}}',
    );
  });

  it('writes instances and objects without prototype by their own members', () => {
    class Answer {
      id = 'x';
      get size(): number {
        return 1;
      }
    }
    expect(encodeJson([new Answer(), Object.assign(Object.create(null), { ['__proto__x']: 1 })])).toBe(
      '[{"id":"x"},{"__proto__x":1}]',
    );
  });

  it.each([
    ['a Date, which has lost its microseconds', new Date(0)],
    ['NaN', NaN],
    ['Infinity', -Infinity],
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['bytes', Buffer.from('x')],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('throws on %s rather than alter it', (_, value) => {
    expect(() => encodeJson({ deep: [value] })).toThrow(TypeError);
  });

  it('throws on nothing at all', () => {
    expect(() => encodeJson(undefined)).toThrow(TypeError);
  });
});
