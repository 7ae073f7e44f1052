import fc from 'fast-check';
import { readPayload } from './read-payload.js';

const limits = { depth: 64, payloadBytes: 1_000_000 };
const opaque = (text: string) => readPayload(text, 'opaque', limits);
const structured = (text: string) => readPayload(text, 'structured', limits);
const textOf = (reading: ReturnType<typeof readPayload>) => (reading.ok ? reading.value.text : reading.fault);

/** Legal JSON that is refused for its content still counts as JSON. */
const isTakenForJson = (text: string) => {
  const reading = opaque(text);
  return reading.ok || reading.fault.kind !== 'malformed';
};

describe('readPayload', () => {
  it('keeps any JSON value byte for byte, without the white space around it', () => {
    fc.assert(
      fc.property(fc.json(), fc.stringMatching(/^[ \t\r\n]*$/), (text, space) => {
        fc.pre(!/\\u(0000|d[89a-f])/i.test(text));
        expect(textOf(opaque(space + text + space))).toBe(text);
      }),
    );
  });

  it('takes for JSON exactly what JSON.parse takes', () => {
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '""', '\\', '\\n', '\\u00e9', '\\x', 'true', 'false'],
      ...[
        'null',
        'nul',
        '0',
        '-',
        '-1',
        '12',
        '.5',
        '1.5',
        'e3',
        'E-2',
        '+',
        ' ',
        '\n',
        '\t',
        '\u0001',
        'é',
        '🎉',
      ],
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(isTakenForJson(text)).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('notices a single character that is changed in a document', () => {
    const document = JSON.stringify({ a: [1, -2.5e3, 'x\\"y', null, true], b: { c: {} }, d: [[], [{}]] });
    const mutation = fc.tuple(fc.nat(document.length - 1), fc.constantFrom(...'{}[],:"\\ 01e.-tn\n'));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        let text = document;
        for (const [at, character] of mutations) text = text.slice(0, at) + character + text.slice(at + 1);
        expect(isTakenForJson(text)).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['{"\n\\n":1,"a":"\u0001"}', '{"\\x":1}\u0001', '[{"\t\\u":{"b":\u0001'])(
    'refuses a text with a control character behind a name that is no string of JSON: %j',
    (text) => {
      expect(textOf(opaque(text))).toMatchObject({
        kind: 'malformed',
        detail: expect.stringContaining('a control character is not allowed'),
      });
    },
  );

  it.each(['NaN', 'Infinity', '-Infinity', '[NaN]', '{"a":-Infinity}'])('[F6] refuses %s', (text) => {
    expect(textOf(opaque(text))).toMatchObject({ kind: 'malformed' });
  });

  it.each([
    '',
    ' ',
    '1 2',
    '{} x',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '\ufeff1',
    '[\u00001]',
    '"\n"',
  ])('refuses %j as no JSON', (text) => {
    expect(textOf(opaque(text))).toMatchObject({ kind: 'malformed', detail: expect.any(String) });
  });

  it.each([
    ['{"a":["x\\u0000y"]}', '/a/0'],
    ['{"a":{"k\\u0000":1}}', '/a'],
    ['{"a/b":{"~":"\\u0000"}}', '/a~1b/~0'],
  ])('[F2] refuses NUL in %s, by pointer', (text, pointer) => {
    expect(textOf(opaque(text))).toMatchObject({
      kind: 'unkeepable',
      pointer,
      detail: expect.stringMatching(/NUL/),
    });
  });

  it('[F2] keeps a backslash before u0000, which is no NUL', () => {
    expect(textOf(opaque('"\\\\u0000"'))).toBe('"\\\\u0000"');
  });

  it.each([
    '"\\ud800"',
    '"\\udc00"',
    '"\\udc00\\ud800"',
    '"\\ud83dx"',
    '"\\ud83d\\n"',
    '{"\\ud83d":1}',
    '"\\uD83D\\uD83D"',
  ])('[F3] refuses half a surrogate pair: %s', (text) => {
    expect(textOf(opaque(text))).toMatchObject({ kind: 'unkeepable', pointer: '' });
  });

  it('[F3] keeps whole surrogate pairs, in either spelling', () => {
    expect(textOf(opaque('["\\ud83c\\udf89","\\uD83C\\uDF89","🎉"]'))).toBe(
      '["\\ud83c\\udf89","\\uD83C\\uDF89","🎉"]',
    );
  });

  it.each([
    '9007199254740993',
    '12345678901234567890',
    '-0',
    '5e-324',
    '1.0',
    '1e308',
    '1e-308',
    '0.10',
    '1'.repeat(128),
  ])('[F4][F5] keeps %s digit for digit', (text) => {
    expect(textOf(opaque(text))).toBe(text);
  });

  it.each([
    '1e400',
    '-1e400',
    '1e131071',
    '1e-16383',
    '1e-325',
    '10e308',
    '0e999',
    '1'.repeat(129),
    '1'.repeat(400),
    `1e${'0'.repeat(200)}5`,
  ])('[F5] refuses %s', (text) => {
    expect(textOf(opaque(`{"a":[0,${text}]}`))).toMatchObject({ kind: 'unkeepable', pointer: '/a/1' });
  });

  const nested = {
    arrays: (levels: number) => '['.repeat(levels) + ']'.repeat(levels),
    objects: (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels),
    mixed: (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2),
  };

  describe.each(Object.entries(nested))('[F7] depth of %s', (_, at) => {
    it.each([32, 64])('keeps %i levels', (levels) => {
      expect(opaque(at(levels)).ok).toBe(true);
    });

    it.each([66, 100, 1_000, 5_000, 100_000])(
      'refuses %i levels as unkeepable, without overflow',
      (levels) => {
        expect(textOf(opaque(at(levels)))).toMatchObject({
          kind: 'unkeepable',
          detail: expect.stringMatching(/deep/),
        });
      },
    );
  });

  it('[F7] points at the level that is one too deep', () => {
    expect(textOf(opaque('['.repeat(65) + ']'.repeat(65)))).toMatchObject({ pointer: '/0'.repeat(64) });
  });

  it.each([
    '["'.repeat(100_000),
    '[',
    '{"a":'.repeat(900),
    '"\\',
    '"\\u12',
    '{"a"',
    '[1,',
    '-',
    '1e',
    '"'.repeat(99),
  ])('refuses a text that just ends, and hostile noise (%#)', (text) => {
    expect(textOf(opaque(text))).toMatchObject({ kind: 'malformed' });
  });

  it('keeps 200,000 elements, 100,000 names and names of 10 kB', () => {
    const wide = [
      `[${'1,'.repeat(199_999)}1]`,
      `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join()}}`,
      `{"${'k'.repeat(10_000)}":"${'\\n'.repeat(100_000)}"}`,
    ];
    for (const text of wide) expect(opaque(text).ok).toBe(true);
  });

  it('[F9] keeps both of two members with one name', () => {
    expect(textOf(opaque('{"a":1,"a":2}'))).toBe('{"a":1,"a":2}');
  });

  it('[F11] measures a payload in bytes of UTF-8', () => {
    const read = (text: string, payloadBytes: number) =>
      readPayload(text, 'opaque', { depth: 64, payloadBytes });
    expect(read('"🎉🎉"', 10).ok).toBe(true);
    expect(textOf(read('"🎉🎉"', 9))).toMatchObject({ kind: 'too_large', pointer: '' });
    expect(read('"abc"', 5).ok).toBe(true);
    expect(textOf(read('"abcd"', 5))).toMatchObject({ kind: 'too_large' });
  });

  describe('for jsonb', () => {
    it.each([`[${Array(100).fill('1e308').join()}]`, '1e308', '[1e-308]', '{"a":1e200}'])(
      '[F5] refuses what Postgres would print many times longer: %s',
      (text) => {
        expect(opaque(text).ok).toBe(true);
        expect(textOf(structured(text))).toMatchObject({ kind: 'unkeepable' });
      },
    );

    it.each([
      '1e20',
      '[1,2,3]',
      '{"a":1.5e3,"b":[true,null]}',
      `["${'x'.repeat(200)}",1e308]`,
      '[1e5,1e6,1e7]',
    ])('keeps what stays in proportion: %s', (text) => {
      expect(textOf(structured(text))).toBe(text);
    });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
