import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateIf, ValidateNested, registerDecorator } from 'class-validator';

/** What reading one member came to: its value in canonical form, or the reason for refusing it. */
export type Read = { value: unknown } | { refused: string };

/** How one kind of member is documented, checked and brought into canonical form. */
export interface FieldKind {
  schema: Record<string, unknown>;
  /** Judges a member of a body, exactly as JSON gave it: nothing is coerced. */
  read(value: unknown): Read;
  /** Turns the text of a query parameter into what `read` judges; absent: the text itself. */
  fromText?(text: string): unknown;
  /** Kept as text: `opaque` for payloads, `structured` for what the database will store as `jsonb`. */
  json?: 'opaque' | 'structured';
  /** The class of a nested object. */
  nested?: () => DtoClass;
  /** A list of such objects stands there. */
  isList?: true;
}

export interface FieldOptions {
  /** A sentence for the reader of the API page; names the unit where there is one. */
  description: string;
  /** May be left out. */
  optional?: boolean;
  /** May be `null`. */
  nullable?: boolean;
  example?: unknown;
}

export interface Field extends FieldOptions {
  name: string;
  kind: FieldKind;
}

export type DtoClass = new () => object;

const FIELDS = new WeakMap<object, Map<string, Field>>();

/**
 * Declares a member of a body, a query or an answer: one declaration documents it, checks it with class-validator
 * and says how it is read. class-validator alone would accept arrays for objects, null for optional members and
 * impossible dates; the kinds do not.
 */
export function field(kind: FieldKind, options: FieldOptions): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    const fields = FIELDS.get(target) ?? new Map<string, Field>();
    FIELDS.set(target, fields.set(name, { ...options, name, kind }));

    ValidateIf((_dto, value: unknown) => !mayBeAbsent(options, value))(target, name);
    registerDecorator({
      name: 'readable',
      target: target.constructor,
      propertyName: name,
      validator: {
        validate: (value: unknown) => 'value' in kind.read(value),
        defaultMessage: (args) => {
          if (args?.value === undefined) return 'is missing';
          const read = kind.read(args?.value);
          return 'refused' in read ? read.refused : '';
        },
      },
    });
    if (kind.nested) ValidateNested()(target, name);
    ApiProperty(documentation(kind, options))(target, name);
  };
}

/** The declared members of a class, its parents' first. */
export function fieldsOf(type: DtoClass): ReadonlyMap<string, Field> {
  const known = ALL_FIELDS.get(type);
  if (known) return known;
  const all = new Map<string, Field>();
  for (const prototype of lineage(type.prototype)) {
    for (const [name, declared] of FIELDS.get(prototype) ?? []) all.set(name, declared);
  }
  ALL_FIELDS.set(type, all);
  return all;
}
const ALL_FIELDS = new WeakMap<DtoClass, Map<string, Field>>();

/** Whether a value stands for "not given" in a way that the member allows. */
export function mayBeAbsent(options: FieldOptions, value: unknown): boolean {
  return (options.optional === true && value === undefined) || (options.nullable === true && value === null);
}

function lineage(prototype: object): object[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  return parent === null || parent === Object.prototype ? [prototype] : [...lineage(parent), prototype];
}

function documentation(kind: FieldKind, options: FieldOptions): ApiPropertyOptions {
  return {
    ...kind.schema,
    description: options.description,
    required: options.optional !== true,
    ...(options.nullable ? { nullable: true } : {}),
    ...(options.example === undefined ? {} : { example: options.example }),
  } as ApiPropertyOptions;
}
