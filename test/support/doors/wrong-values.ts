import type { Schema } from './doors.js';

/** Text of JSON (or nearly) that a member must not take. */
export type WrongValue = string;

const json = (value: unknown): WrongValue => JSON.stringify(value);
const nested = (depth: number, open: string, close: string, inside = '1'): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** What no member of any kind takes: what JSON is not, and what the database could not keep. */
const NOWHERE: readonly WrongValue[] = ['NaN', '', '1e400', '"a\\u0000b"', '"\\ud800"', nested(65, '[', ']')];

/** More of the kind, for members that take any JSON value. */
const NOT_PAYLOADS: readonly WrongValue[] = [
  ...['Infinity', '-Infinity', 'undefined', "'x'", '01', '0x10', '[', '[1,]', '{"a":1,}', '{a:1}'],
  ...['"\\x"', '"\t"', '1'.repeat(400), '[-1e309]', '1e131071', '1e-16383', '{"\\u0000":1}'],
  ...['"\\udc00\\ud800"', '"\\ud83d"', '{"a":{"\\ud800":1}}', '[{"a":"\\u0000"}]'],
  ...[nested(33, '[{"a":', '}]'), nested(100, '{"a":', '}'), nested(1_001, '[', ']')],
  ...[nested(5_000, '{"a":', '}'), nested(100_000, '[', ']'), nested(50_000, '[{"a":', '}]')],
];

const NOT_TEXT = [json(5), json(true), json([]), json(['x']), json([['x']]), json({}), json({ $ne: 'x' })];
const NOT_OBJECT = [json('x'), json(5), json(true), json([]), json([{}]), json([[{}]]), json('{}')];

const NOT_DATES = [
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-01-01',
  '2026',
  '1767225600',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+24:00',
  '10000-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  'now',
  'infinity',
  ' 2026-01-01T00:00:00Z',
];
const NOT_IDS = ['x', '00000000-0000-0000-0000-000000000000', `{${'0'.repeat(36)}}`, "' OR 1=1 --"];
const NOT_INTEGERS = ['"5"', '""', '" 5"', '1.5', 'true', '[5]', '{}', '9007199254740993', '1e300', '-1e300'];
const NOT_FLAGS = ['"false"', '"true"', '"0"', '0', '1', '""', '[true]', '{}'];
const NOT_MONEY = [
  '"x"',
  '-1',
  '"-1"',
  'true',
  '[]',
  '{}',
  '1e11',
  '0.00000000001',
  '" 5"',
  '"0x10"',
  '"\\"5\\""',
];
const NOT_NAMES = [
  '',
  '   ',
  '\u0007',
  'a\nb',
  'a\u202eb',
  'a\u200bb',
  '\ufeffa',
  'é'.repeat(129),
  '😀'.repeat(129),
  'x'.repeat(500_000),
];

/** Wrong values for one member, by what the served document says about it. */
export function wrongValues(name: string, schema: Schema): WrongValue[] {
  const mayBeNull = typesOf(schema).includes('null') || schema.anyOf?.some(({ type }) => type === 'null');
  const nothing = mayBeNull || isAnyJson(schema) ? [] : ['null'];
  return [...NOWHERE, ...nothing, ...ofKind(name, schema)];
}

/** Any JSON value: the document gives such a member no type. */
export function isAnyJson(schema: Schema): boolean {
  const { type, oneOf, anyOf, properties } = schema;
  return [type, oneOf, anyOf, properties].every((one) => one === undefined);
}

/** Wrong texts for a query parameter, before they are encoded. */
export function wrongTexts(schema: Schema): string[] {
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 0 } = schema;
    const bounds = [minimum - 1, maximum + 1, -1, 2 ** 31, 2 ** 53, '9'.repeat(30)].map(String);
    if (maximum < 1e9) bounds.push('1000000000');
    return ['', ' 5', '5 ', '5.0', '1e3', '0x10', '+5', 'NaN', '5,6', '٥', 'true', '[5]', '{}', ...bounds];
  }
  if (schema.type === 'boolean') return ['', 'True', 'FALSE', '0', '1', 'yes', ' true', 'null'];
  if (schema.pattern?.includes('|')) {
    const [word = ''] = /\w+/.exec(schema.pattern) ?? [];
    return ['', 'nothing', word.toUpperCase(), `${word} `, `${word},`, `,${word}`, `${word};${word}`];
  }
  return textsFor('', schema).filter((text) => encodeURIComponent(text).length < LONGEST_QUERY);
}

/** Beyond it the address as a whole is refused. */
const LONGEST_QUERY = 8_000;

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function ofKind(name: string, schema: Schema): WrongValue[] {
  const present = schema.anyOf?.find(({ type }) => type !== 'null');
  if (present) return ofKind(name, present).filter((value) => value !== 'null');
  const types = typesOf(schema);
  if (types.includes('string')) return [...NOT_TEXT, ...textsFor(name, schema).map(json)];
  if (types.includes('integer')) {
    const { minimum = 0, maximum = 0 } = schema;
    return [...NOT_INTEGERS, json(minimum - 1), String(BigInt(maximum) + 1n)];
  }
  if (types.includes('boolean')) return NOT_FLAGS;
  if (types.includes('array')) return listsFor(schema);
  if (schema.oneOf) return NOT_MONEY;
  if (schema.properties) return [...NOT_OBJECT, '{}', '{"nothing":1}'];
  if (schema.additionalProperties) {
    return [
      ...NOT_PAYLOADS,
      ...NOT_OBJECT,
      `{"a":[${'1e308,'.repeat(5_000)}1]}`,
      json({ a: 'x'.repeat(256 * 1024) }),
    ];
  }
  return [...NOT_PAYLOADS];
}

function textsFor(name: string, schema: Schema): string[] {
  if (schema.format === 'date-time') return ['', ...NOT_DATES];
  if (schema.format === 'uuid') return ['', ...NOT_IDS];
  if (schema.enum) return ['', 'nothing', ...schema.enum.flatMap((word) => misspelt(String(word)))];
  if (schema.pattern) return ['', 'UPPER', ' x', 'x y', 'x'.repeat(65), 'é', "x';--", 'x\n'];
  const { minLength = 0, maxLength = 0 } = schema;
  const lengths = ['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1), ...(minLength > 0 ? [''] : [])];
  const few = lengths.filter((text) => Buffer.byteLength(text) < 1_000_000);
  return name === 'name' && maxLength === 128 ? [...few, ...NOT_NAMES] : few;
}

function misspelt(word: string): string[] {
  return [word.toUpperCase(), `${word} `, `${word}\u200b`];
}

function listsFor({ maxItems = 0, items = {} }: Schema): WrongValue[] {
  const { maxLength = 0 } = items;
  return [
    ...[json('x'), json({}), json({ 0: 'x' }), json(5), json([5]), json([null]), json([['x']]), json([{}])],
    ...[json(['']), json(['x'.repeat(maxLength + 1)])],
    json(Array.from({ length: maxItems + 1 }, (_, i) => `tag ${i}`)),
  ];
}
