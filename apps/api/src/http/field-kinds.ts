import { RawJson, normalizeName, parseCost, parseId, parseScore, parseTimestamp } from '@agentflow/domain';
import { getSchemaPath } from '@nestjs/swagger';
import { field, type DtoClass, type FieldKind, type FieldOptions, type Read } from './field.js';

const refused = (reason: string): Read => ({ refused: reason });
const accepted = (value: unknown): Read => ({ value });

/** Counted as a reader would: by code points, so that half a character never decides. */
const lengthOf = (text: string): number => {
  let length = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) length--;
  return length;
};

/** Text of at most `max` characters, kept as it is. NUL cannot be stored, and comes only through a query. */
export function Text(options: FieldOptions & { max: number; min?: number }): PropertyDecorator {
  const { max, min = 0 } = options;
  return field(
    {
      schema: { type: 'string', maxLength: max, ...(min > 0 ? { minLength: min } : {}) },
      read(value) {
        if (typeof value !== 'string') return refused('has to be text');
        if (value.includes('\0')) return refused('must not contain NUL');
        if (!value.isWellFormed()) return refused('must not contain lone surrogates');
        const length = lengthOf(value);
        if (length > max) return refused(`has ${length} characters; ${max} are allowed`);
        return length < min ? refused(`needs at least ${min} character(s)`) : accepted(value);
      },
    },
    options,
  );
}

/** A name people read: NFC, trimmed, 1 to 128 characters, without control or bidirectional characters. */
export function Name(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      read(value) {
        if (typeof value !== 'string') return refused('has to be text');
        const name = normalizeName(value);
        return 'name' in name ? accepted(name.name) : refused(name.reason);
      },
    },
    options,
  );
}

/** Text of a fixed form. */
export function Token(options: FieldOptions & { pattern: RegExp; says: string }): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', pattern: options.pattern.source },
      read: (value) =>
        typeof value === 'string' && options.pattern.test(value) ? accepted(value) : refused(options.says),
    },
    options,
  );
}

/** The name of an adapter or of a kind of step. */
export function AdapterName(options: FieldOptions): PropertyDecorator {
  const says = 'has to be 1 to 64 of the characters a-z 0-9 . _ -';
  return Token({ ...options, pattern: /^[a-z0-9._-]{1,64}$/, says });
}

/** A UUID; it is answered in lower case. */
export function Id(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'uuid' },
      read(value) {
        const id = typeof value === 'string' ? parseId(value) : undefined;
        return id === undefined ? refused('has to be a UUID') : accepted(id);
      },
    },
    options,
  );
}

/** A list of UUIDs; in a request. They are answered in lower case. */
export function Ids(options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field(
    {
      schema: { type: 'array', minItems: 1, maxItems: max, items: { type: 'string', format: 'uuid' } },
      read(value) {
        const ids = Array.isArray(value)
          ? value.map((id) => (typeof id === 'string' ? parseId(id) : undefined))
          : [];
        return ids.length > 0 && ids.length <= max && !ids.includes(undefined)
          ? accepted(ids)
          : refused(`has to be a list of 1 to ${max} UUIDs`);
      },
    },
    options,
  );
}

/** A whole number, as a JSON number; in a query, decimal digits. */
export function Integer(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(
    {
      schema: { type: 'integer', minimum: min, maximum: max, ...(max > 2 ** 31 ? { format: 'int64' } : {}) },
      read: (value) =>
        typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
          ? accepted(value + 0) // -0 is 0
          : refused(`has to be a whole number from ${min} to ${max}`),
      fromText: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
    },
    options,
  );
}

/** The digits of a number or of a text, as they were sent; a text has no quotes of its own. */
function literalIn({ text }: RawJson): string {
  if (!text.startsWith('"')) return text;
  const inner = JSON.parse(text) as string;
  return inner.startsWith('"') ? '' : inner;
}

/** Money in an answer: a decimal as text, never rounded. */
export function MoneyText(options: FieldOptions): PropertyDecorator {
  const schema = { type: 'string', format: 'decimal', pattern: '^\\d{1,28}(\\.\\d{1,10})?$' };
  return field({ schema, read: accepted }, options);
}

/** Money in a request: a decimal of at most ten fraction digits, as a number or as text. */
export function Money(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: {
        oneOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', format: 'decimal' },
        ],
      },
      json: 'opaque',
      read(value) {
        const cost = value instanceof RawJson ? parseCost(literalIn(value)) : undefined;
        return cost === undefined
          ? refused('has to be a decimal from 0 with at most 10 integer and 10 fraction digits')
          : accepted(cost);
      },
    },
    options,
  );
}

/** A score from 0 to 1 with three decimals. */
export function Score(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'number', minimum: 0, maximum: 1 },
      json: 'opaque',
      read(value) {
        const score = value instanceof RawJson ? parseScore(literalIn(value)) : undefined;
        return score === undefined
          ? refused('has to be from 0 to 1 with at most 3 decimals')
          : accepted(score);
      },
    },
    options,
  );
}

/** A moment, RFC 3339 with a zone; answered in UTC with microseconds. */
export function Timestamp(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'date-time' },
      read(value) {
        const at = typeof value === 'string' ? parseTimestamp(value) : undefined;
        return at === undefined
          ? refused('has to be a real date and time with a zone, such as 2026-02-03T04:05:06.123456Z')
          : accepted(at);
      },
    },
    options,
  );
}

/** One of a fixed list of words, as they are written. */
export function Choice(options: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', enum: [...options.of] },
      read: (value) =>
        typeof value === 'string' && options.of.includes(value)
          ? accepted(value)
          : refused(`has to be one of ${options.of.join(', ')}`),
    },
    options,
  );
}

/** A list of words of a fixed list; in a request, at least one. */
export function Choices(options: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return field(
    {
      schema: { type: 'array', items: { type: 'string', enum: [...options.of] } },
      read: (value) =>
        Array.isArray(value) && value.length > 0 && value.every((word) => options.of.includes(word as string))
          ? accepted([...new Set(value as string[])])
          : refused(`has to be a list of some of ${options.of.join(', ')}`),
    },
    options,
  );
}

/** Several of a fixed list of words; in a query, with commas between. */
export function ChoiceList(options: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', pattern: `^(${options.of.join('|')})(,(${options.of.join('|')}))*$` },
      read: (value) =>
        Array.isArray(value) && value.length > 0 && value.every((word) => options.of.includes(word as string))
          ? accepted([...new Set(value as string[])])
          : refused(`has to be a comma-separated list of ${options.of.join(', ')}`),
      fromText: (text) => text.split(','),
    },
    options,
  );
}

/** `true` or `false`; in a query, the same words. */
export function Flag(options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'boolean' },
      read: (value) => (typeof value === 'boolean' ? accepted(value) : refused('has to be true or false')),
      fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
    },
    options,
  );
}

/** Short labels: at most 64 different ones of 1 to 128 characters. */
export function Labels(options: FieldOptions): PropertyDecorator {
  const label = (value: unknown): boolean =>
    typeof value === 'string' && value.length > 0 && lengthOf(value) <= 128 && value.isWellFormed();
  return field(
    {
      schema: { type: 'array', maxItems: 64, items: { type: 'string', minLength: 1, maxLength: 128 } },
      read: (value) =>
        Array.isArray(value) && value.length <= 64 && value.every(label)
          ? accepted([...new Set(value as string[])])
          : refused('has to be a list of at most 64 texts of 1 to 128 characters'),
    },
    options,
  );
}

/** Any JSON value, kept and answered byte for byte; `null` is a value. */
export function Payload(options: FieldOptions): PropertyDecorator {
  const kind: FieldKind = {
    schema: { type: 'object', 'x-any-json': true },
    json: 'opaque',
    read: (value) => (value instanceof RawJson ? accepted(value) : refused('has to be JSON')),
  };
  return field(kind, options);
}

/** A JSON object whose members are the caller's; stored as `jsonb`, so equal in value and not in spelling. */
export function JsonObject(options: FieldOptions & { maxBytes?: number }): PropertyDecorator {
  const { maxBytes = 256 * 1024 } = options;
  return field(
    {
      schema: { type: 'object', additionalProperties: true },
      json: 'structured',
      read(value) {
        if (!(value instanceof RawJson) || !value.text.startsWith('{')) return refused('has to be an object');
        const bytes = Buffer.byteLength(value.text);
        return bytes > maxBytes ? refused(`has ${bytes} bytes; ${maxBytes} are allowed`) : accepted(value);
      },
    },
    options,
  );
}

/** A class that may be declared further down: the API page tells it by the name `type` of the function. */
function lazily(type: () => unknown): Record<string, unknown> {
  return { type: () => type() };
}

/** An object with declared members of its own. */
export function Nested(type: () => DtoClass, options: FieldOptions): PropertyDecorator {
  return field(
    {
      schema: lazily(type),
      nested: type,
      read: (value) => (value instanceof type() ? accepted(value) : refused('has to be an object')),
    },
    options,
  );
}

/** A list of objects with declared members of their own; in a request. */
export function NestedList(type: () => DtoClass, options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field(
    {
      schema: { ...lazily(() => [type()]), minItems: 1, maxItems: max },
      nested: type,
      isList: true,
      read: (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= max &&
        value.every((one) => one instanceof type())
          ? accepted(value)
          : refused(`has to be a list of 1 to ${max} objects`),
    },
    options,
  );
}

/** A list of objects with declared members; in answers only. */
export function ListOf(type: () => DtoClass, options: FieldOptions): PropertyDecorator {
  return field({ schema: lazily(() => [type()]), read: accepted }, options);
}

/** A map whose values are objects with declared members; in answers only. */
export function MapOf(type: () => DtoClass, options: FieldOptions): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: { $ref: getSchemaPath(type()) } };
  return field({ schema, read: accepted }, options);
}
