import { RawJson } from '@agentflow/domain';

/**
 * How the elements of an array parameter are sent: text as it is, and not quoted into the text of an array, which both
 * sides would have to escape and unescape. `decimal` and `json` travel as text and are cast by the statement.
 */
type ElementType = keyof typeof ELEMENTS;

type Element = string | number | boolean | RawJson | Uint8Array | null | undefined;

interface ElementKind {
  /** The type's fixed id in Postgres. */
  oid: number;
  /** The longest that the value can become, in bytes. */
  room(value: NonNullable<Element>): number;
  /** Writes the value at the offset, and answers the number of bytes. */
  write(buffer: Buffer, value: NonNullable<Element>, at: number): number;
}

const textOf = (value: NonNullable<Element>): string =>
  value instanceof RawJson ? value.text : (value as string);

/** Short texts are not counted: room for the longest that they can become costs less. */
const roomFor = (text: string): number => (text.length < 256 ? text.length * 3 : Buffer.byteLength(text));

/** Words are written letter by letter, as long as those are ASCII: to ask the buffer takes twice as long. */
function writeText(buffer: Buffer, text: string, at: number): number {
  if (text.length > LONGEST_WORD) return buffer.write(text, at);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return buffer.write(text, at);
    buffer[at + i] = code;
  }
  return text.length;
}

const LONGEST_WORD = 40;

const TEXT: Omit<ElementKind, 'oid'> = {
  room: (value) => roomFor(textOf(value)),
  write: (buffer, value, at) => writeText(buffer, textOf(value), at),
};

/** From 1970 to 2000, where the clock of Postgres begins. */
const EPOCH_SECONDS = 946_684_800;

const ELEMENTS = {
  text: { oid: 25, ...TEXT },
  json: { oid: 114, ...TEXT },
  jsonb: {
    oid: 3802,
    room: (value) => 1 + roomFor(textOf(value)),
    write: (buffer, value, at) => {
      buffer[at] = 1; // the version of the format
      return 1 + writeText(buffer, textOf(value), at + 1);
    },
  },
  uuid: {
    oid: 2950,
    room: () => 16,
    write: (buffer, value, at) => writeId(buffer, value as string, at),
  },
  integer: {
    oid: 23,
    room: () => 4,
    write: (buffer, value, at) => buffer.writeInt32BE(value as number, at) - at,
  },
  bigint: {
    oid: 20,
    room: () => 8,
    write: (buffer, value, at) => writeInt64(buffer, value as number, at),
  },
  bytea: {
    oid: 17,
    room: (value) => (value as Uint8Array).length,
    write: (buffer, value, at) => {
      buffer.set(value as Uint8Array, at);
      return (value as Uint8Array).length;
    },
  },
  boolean: {
    oid: 16,
    room: () => 1,
    write: (buffer, value, at) => buffer.writeUInt8(value ? 1 : 0, at) - at,
  },
  timestamptz: {
    oid: 1184,
    room: () => 8,
    write: (buffer, value, at) => writeInt64(buffer, microsecondsOf(value as string), at),
  },
} as const satisfies Record<string, ElementKind>;

/** The places of the pairs of digits in the text of a UUID. */
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Digit by digit: to take the dashes out and let the buffer read the rest took three times as long. */
function writeId(buffer: Buffer, id: string, at: number): number {
  for (let i = 0; i < 16; i++) {
    const pair = PAIRS[i] as number;
    buffer[at + i] = digitOf(id.charCodeAt(pair)) * 16 + digitOf(id.charCodeAt(pair + 1));
  }
  return 16;
}

/** `0` to `9` end in the four bits of what they are, and letters of both cases in one less than what is above nine. */
const digitOf = (code: number): number => (code & 15) + (code >> 6) * 9;

/** Microseconds since 2000 of a moment in its canonical spelling, `2026-02-03T04:05:06.123456Z`. */
function microsecondsOf(moment: string): number | bigint {
  const second = moment.slice(0, 19);
  if (second !== lastSecond.text)
    lastSecond = { text: second, seconds: Date.parse(`${second}Z`) / 1_000 - EPOCH_SECONDS };
  const { seconds } = lastSecond;
  const rest = Number(moment.slice(20, 26));
  // Beyond the year 2285 they are more than a number holds.
  if (seconds < 9e9) return seconds * 1_000_000 + rest;
  return BigInt(seconds) * 1_000_000n + BigInt(rest);
}

/** Rows of one set are mostly of the same second. */
let lastSecond = { text: '', seconds: 0 };

/** By halves: a BigInt for each value took three times as long. */
function writeInt64(buffer: Buffer, value: number | bigint | string, at: number): number {
  if (!Number.isSafeInteger(value)) return buffer.writeBigInt64BE(BigInt(value), at) - at;
  const high = Math.floor((value as number) / HALF);
  buffer.writeInt32BE(high, at);
  return buffer.writeUInt32BE((value as number) - high * HALF, at + 4) - at;
}

const HALF = 2 ** 32;

const HEADER_BYTES = 20;

/**
 * One column of a set of rows, as a parameter of an array type (`$2::uuid[]`): Postgres's binary format, which `pg`
 * takes for any `Buffer`. Absent values are null.
 */
export function column(type: ElementType, values: readonly Element[]): Buffer {
  const kind: ElementKind = ELEMENTS[type];
  let room = HEADER_BYTES;
  let hasNull = 0;
  for (const value of values) {
    room += 4;
    if (value === null || value === undefined) hasNull = 1;
    else room += kind.room(value);
  }
  const buffer = Buffer.allocUnsafe(room);
  let at = writeHeader(buffer, kind.oid, values.length, hasNull);
  for (const value of values) {
    if (value === null || value === undefined) {
      at = buffer.writeInt32BE(-1, at);
    } else {
      const bytes = kind.write(buffer, value, at + 4);
      buffer.writeInt32BE(bytes, at);
      at += 4 + bytes;
    }
  }
  return buffer.subarray(0, at);
}

/** Dimensions, whether there are nulls, the type; then the length and the first index of the one dimension. */
function writeHeader(buffer: Buffer, oid: number, length: number, hasNull: number): number {
  if (length === 0) {
    [0, 0, oid].forEach((word, i) => buffer.writeInt32BE(word, i * 4));
    return 12;
  }
  [1, hasNull, oid, length, 1].forEach((word, i) => buffer.writeInt32BE(word, i * 4));
  return HEADER_BYTES;
}

/** The columns of a set of rows, in the order in which they are named. */
export function columns<Row extends object>(
  types: Readonly<Partial<Record<keyof Row & string, ElementType>>>,
  rows: readonly Row[],
): Buffer[] {
  return Object.entries(types).map(([name, type]) =>
    column(
      type as ElementType,
      rows.map((row) => (row as Record<string, Element>)[name]),
    ),
  );
}

const SQL_TYPES: Readonly<Record<ElementType, string>> = {
  text: 'text',
  json: 'json',
  jsonb: 'jsonb',
  uuid: 'uuid',
  integer: 'integer',
  bigint: 'bigint',
  bytea: 'bytea',
  boolean: 'boolean',
  timestamptz: 'timestamptz',
};

/**
 * `(SELECT unnest($first::uuid[]) AS id, …) AS alias` for the columns of a set of rows: what `columns` of the same types binds.
 * One `unnest` of all arrays behind `FROM` would first put each of them into a store of its own.
 */
export function rowsFrom(types: Readonly<Record<string, ElementType>>, alias: string, first = 2): string {
  const names = Object.keys(types);
  const values = names.map(
    (name, i) => `unnest($${first + i}::${SQL_TYPES[types[name] as ElementType]}[]) AS ${name}`,
  );
  return `(SELECT ${values.join(', ')}) AS ${alias}`;
}

export type ColumnTypes<Name extends string = string> = Readonly<Record<Name, ElementType>>;
