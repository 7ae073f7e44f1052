import fc from 'fast-check';
import { canonicalJson, sameJson } from './canonical-json.js';
import { RawJson } from './raw-json.js';

const raw = (text: string) => RawJson.trusted(text);

/** A value written again as badly as JSON allows: names in any order, space everywhere, every character escaped. */
function respell(value: unknown, choose: () => number): string {
  const space = () => [' ', '', '\n\t', ''][choose() % 4] ?? '';
  if (Array.isArray(value)) {
    return `[${space()}${value.map((each) => respell(each, choose)).join(`${space()},${space()}`)}${space()}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).sort(() => (choose() % 2) - 0.5);
    const members = names.map((name) => {
      const member = respell((value as Record<string, unknown>)[name], choose);
      return `${spell(name, choose)}${space()}:${space()}${member}`;
    });
    return `{${space()}${members.join(`,${space()}`)}}`;
  }
  if (typeof value === 'string') return spell(value, choose);
  if (typeof value === 'number') return spellNumber(value, choose);
  return String(value);
}

function spell(text: string, choose: () => number): string {
  if (choose() % 2 === 0) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

function spellNumber(value: number, choose: () => number): string {
  const plain = JSON.stringify(value);
  const hasPower = /e/.test(plain);
  const spellings = [
    plain,
    value.toExponential(),
    hasPower ? plain : `${plain}e0`,
    hasPower ? plain : `${plain}E+00`,
  ];
  return spellings[choose() % spellings.length] ?? plain;
}

describe('canonicalJson', () => {
  it('gives one text to any two spellings of a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(fc.nat(100)), (value, stream) => {
        const choose = () => stream.next().value as number;
        expect(canonicalJson(respell(value, choose))).toBe(canonicalJson(JSON.stringify(value)));
      }),
    );
  });

  it('gives different texts to different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const areSame = canonicalJson(JSON.stringify(a)) === canonicalJson(JSON.stringify(b));
        expect(areSame).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });

  it('is JSON of the same value, and its own canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(text)).toBe(text);
      }),
    );
  });

  it('keeps digits that a double would lose', () => {
    expect(canonicalJson('[12345678901234567891, 0.10000000000000000001]')).toBe(
      '[12345678901234567891,10000000000000000001e-20]',
    );
  });

  it('sorts names by code unit, and lets the last of a repeated name win', () => {
    expect(canonicalJson('{"b":1,"a":{"é":1,"z":2},"\\u0062":{ },"B":[ ],"__proto__":0,"10":1,"9":1}')).toBe(
      '{"10":1,"9":1,"B":[],"__proto__":0,"a":{"z":2,"é":1},"b":{}}',
    );
  });

  it('spells each string once', () => {
    expect(canonicalJson('"\\/\\u0041\\u000a\\u00e9\\u001F\\""')).toBe('"/A\\né\\u001f\\""');
    expect(canonicalJson('"\\\\u0041"')).toBe('"\\\\u0041"');
  });

  it.each(['', '[1', '{"a":1 "b":2}', '[1 2]', 'nonsense', '{"a"}', '1 2', '[1,]'])('refuses %j', (text) => {
    expect(() => canonicalJson(text)).toThrow(SyntaxError);
  });

  it('takes deep and wide text without overflow', () => {
    const depth = 1_000;
    expect(canonicalJson('[1,'.repeat(depth) + '1' + ']'.repeat(depth))).toHaveLength(depth * 4 + 1);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const value of [deep, raw(deep)]) expect(canonicalJson(value)).toHaveLength(200_000);
    expect(canonicalJson(`[${'"a", '.repeat(100_000)}"a"]`)).toHaveLength(400_005);
  });
});

describe('sameJson', () => {
  it('looks at the meaning', () => {
    expect(sameJson(raw('{"a":1,"b":[2]}'), raw('{ "b":[2.0], "a":1e0 }'))).toBe(true);
    expect(sameJson(raw('[1,2]'), raw('[2,1]'))).toBe(false);
    expect(sameJson(raw('9007199254740993'), raw('9007199254740992'))).toBe(false);
    expect(sameJson(raw('"1"'), raw('1'))).toBe(false);
    expect(sameJson(raw('{"a":null}'), raw('{}'))).toBe(false);
  });
});

/** The same value with its names in one order: the oracle of equality. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]).concat([['object']]);
}
