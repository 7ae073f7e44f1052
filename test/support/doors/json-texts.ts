import fc from 'fast-check';

/** Names that harm whoever takes them for more than names. */
export const HOSTILE_NAMES: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON'],
  ...['', '.', '$', '$ref', '0', '-1', ' ', 'a/b~c', '"', '\\', '\n', '\u2028', '😀', 'e\u0301', '\u202e'],
];

const SPACE = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n  ');

/** A piece of a string literal; one character may be written in several ways. */
const PIECE = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(
    '\\u00e9',
    '\\u00E9',
    '\\/',
    '/',
    '\\"',
    '\\\\',
    '\\u0001',
    '\\n',
    '\\ud83d\\ude00',
    '\u007f',
  ),
  fc.constantFrom('\u2028', '\ufeff', '\uffff', '</script>', '\\u003c', '😀', 'e\u0301', '${x}', "'; --"),
);
const STRING = fc.array(PIECE, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);

const LONG_NAME = `"${'k'.repeat(10_000)}"`;
const NAME = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_NAMES).map((name) => JSON.stringify(name)) },
  { weight: 4, arbitrary: STRING },
  { weight: 1, arbitrary: fc.constant(LONG_NAME) },
);

/** Doubles near zero or far from it are refused in `jsonb`, which would print them at length. */
const DOUBLE = fc
  .double({ noDefaultInfinity: true, noNaN: true, min: -1e15, max: 1e15 })
  .map((number) => JSON.stringify(number))
  .filter((literal) => !/e-\d\d/.test(literal));
const NUMBER = fc.oneof(
  fc.integer().map(String),
  DOUBLE,
  fc.bigInt({ min: -(10n ** 100n), max: 10n ** 100n }).map(String),
  fc.constantFrom(
    '-0',
    '0.0',
    '1.0',
    '1.50',
    '1E2',
    '1e+2',
    '10e-1',
    '9007199254740993',
    '12345678901234567890',
  ),
);
const SCALAR = fc.oneof(STRING, NUMBER, fc.constantFrom('true', 'false', 'null'));

/** The text of any JSON value, in any spelling, nested up to the limit. */
export function jsonTexts(): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      SCALAR,
      fc.array(spaced(tie('value')), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      objectOf(tie('value')),
    ),
  }));
  return fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: deep(value) });
}

/** The text of an object, whose members are as `jsonTexts` makes them. */
export function objectTexts(): fc.Arbitrary<string> {
  return objectOf(fc.oneof({ maxDepth: 1 }, SCALAR, jsonTexts()), 1);
}

function objectOf(value: fc.Arbitrary<string>, minLength = 0): fc.Arbitrary<string> {
  const member = fc.tuple(spaced(NAME), spaced(value)).map(([name, text]) => `${name}:${text}`);
  return fc.array(member, { minLength, maxLength: 4 }).map((members) => `{${members.join(',')}}`);
}

function spaced(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(SPACE, text, SPACE).map((parts) => parts.join(''));
}

/** Wraps a value of at most five levels so that it stays within 64, with one level to spare for an object around. */
function deep(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const shells: [string, string][] = [
    ['[', ']'],
    ['{"__proto__":', '}'],
    ['{"":', '}'],
  ];
  return fc
    .tuple(value, fc.array(fc.constantFrom(...shells), { minLength: 1, maxLength: 57 }))
    .map(([text, around]) => {
      const opening = around.map(([open]) => open).join('');
      const closing = around.map(([, close]) => close).reverse();
      return opening + text + closing.join('');
    });
}

/** One text per meaning, as JavaScript reads it: names sorted, the last of equal ones kept, -0 as 0. */
export function meaningOf(text: string): string {
  return meaning(JSON.parse(text));
}

function meaning(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(meaning).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${meaning(member)}`).join(',')}}`;
}
