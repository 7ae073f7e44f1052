import {
  DEFAULT_JSON_LIMITS,
  DomainError,
  RawJson,
  decodeUtf8,
  notFound,
  parseId,
  readEnvelope,
  type Envelope,
  type EnvelopeShape,
  type JsonLimits,
  isBare,
} from '@agentflow/domain';
import type { Limits } from '@agentflow/core';
import type { RequestFault } from '@agentflow/contracts';
import { Inject, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { LIMITS } from '../installation.js';
import { fieldsOf, mayBeAbsent, type DtoClass, type FieldKind } from './field.js';
import { MALFORMED } from './query-string.js';

/** A body as it came in: nothing is parsed before the caller is known. */
export interface ReceivedBody {
  bytes: Buffer;
  mediaType: string | undefined;
  encoding: string | undefined;
  /** What of the memory budget the request has, where it takes batches. */
  share?: { take(bytes: number): void } | undefined;
}

const JSON_MEDIA_TYPE = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i;

/**
 * Brings what a request carries into the form that its handler declares, or refuses it with every fault at once:
 * path ids (a malformed one is the same 404 as a missing one), query parameters, and the body, whose payloads are
 * cut out of the text and never rebuilt.
 */
@Injectable()
export class ReadRequestPipe implements PipeTransform {
  constructor(@Inject(LIMITS) private readonly limits: Limits) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'param') return readPathParameter(value as string, metatype);
    if (type === 'body') return this.readBody(value as ReceivedBody | undefined, metatype as DtoClass);
    return readQuery(value as Record<string, unknown>, metatype as DtoClass);
  }

  /** No body at all is an empty object, so that a move without content needs none. */
  private readBody(body: ReceivedBody | undefined, type: DtoClass): object {
    if (body === undefined) return build(type, {});
    const { payloadDepth: depth, payloadBytes } = this.limits;
    return build(type, envelopeIn(body, shapeOf(type), { depth, payloadBytes }));
  }
}

class Nothing {}

/** Accepts a body of a request that has nothing to say: none, or an empty object. */
export function readNoBody(body: ReceivedBody | undefined): void {
  if (body !== undefined) build(Nothing, envelopeIn(body, {}, DEFAULT_JSON_LIMITS));
}

function envelopeIn(body: ReceivedBody, shape: EnvelopeShape, limits: JsonLimits): Envelope {
  const read = readEnvelope(readText(body), shape, limits);
  if (read.ok) return read.value;
  const isTooLarge = read.faults.some((fault) => fault.kind === 'too_large');
  throw new DomainError(isTooLarge ? 'request_too_large' : 'malformed_json', {
    faults: read.faults.map(({ pointer, detail }) => ({ pointer, detail })),
  });
}

function readText({ bytes, mediaType, encoding }: ReceivedBody): string {
  if (!JSON_MEDIA_TYPE.test(mediaType ?? '')) {
    throw new DomainError('unsupported_media_type', { detail: 'Send Content-Type: application/json.' });
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', { detail: 'This route takes no Content-Encoding.' });
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    throw new DomainError('malformed_json', { faults: [{ pointer: '', detail: 'The body is not UTF-8.' }] });
  }
  return text;
}

const SHAPES = new WeakMap<DtoClass, EnvelopeShape>();

/** Which members of a body are kept as text, and which are envelopes of their own. */
function shapeOf(type: DtoClass): EnvelopeShape {
  const known = SHAPES.get(type);
  if (known) return known;
  const fields = [...fieldsOf(type).values()];
  const shape: EnvelopeShape = {
    opaque: new Set(fields.filter(({ kind }) => kind.json === 'opaque').map(({ name }) => name)),
    structured: new Set(fields.filter(({ kind }) => kind.json === 'structured').map(({ name }) => name)),
    nested: new Map(
      fields.flatMap(({ name, kind }) => (kind.nested ? [[name, shapeOf(kind.nested())]] : [])),
    ),
  };
  SHAPES.set(type, shape);
  return shape;
}

function readPathParameter(value: string, metatype: unknown): string | number {
  if (metatype === Number) {
    if (!/^(0|[1-9]\d{0,8})$/.test(value)) throw notFound();
    return Number(value);
  }
  const id = parseId(value);
  if (id === undefined) throw notFound();
  return id;
}

function readQuery(query: Record<string, unknown>, type: DtoClass): object {
  const fields = fieldsOf(type);
  const values: Record<string, unknown> = {};
  const faults: RequestFault[] = [];
  for (const [name, raw] of Object.entries(query)) {
    const declared = fields.get(name);
    if (!declared) faults.push({ pointer: `?${name}`, detail: 'is not a parameter here' });
    else if (raw === MALFORMED)
      faults.push({ pointer: `?${name}`, detail: 'has to be percent-encoded UTF-8' });
    else if (typeof raw !== 'string') faults.push({ pointer: `?${name}`, detail: 'is given more than once' });
    else values[name] = declared.kind.fromText ? declared.kind.fromText(raw) : raw;
  }
  return finish(type, values, faults, '?');
}

/** Makes the DTO of a body. Only declared members are taken over; anything else is a fault. */
function build(type: DtoClass, body: Record<string, unknown>): object {
  return finish(type, withNulls(type, body), unknownMembers(type, body, ''), '/');
}

/** What is kept as text is null, too, where that may be given and is no value of the member itself. */
function withNulls(type: DtoClass, body: Record<string, unknown>): Record<string, unknown> {
  for (const { name, kind, nullable } of fieldsOf(type).values()) {
    const value = body[name];
    if (nullable && isNullText(value) && 'refused' in kind.read(value)) body[name] = null;
    else if (kind.nested) for (const one of objectsIn(value, kind)) withNulls(kind.nested(), one);
  }
  return body;
}

function isNullText(value: unknown): boolean {
  return value instanceof RawJson && value.text === 'null';
}

function unknownMembers(type: DtoClass, body: Record<string, unknown>, pointer: string): RequestFault[] {
  const fields = fieldsOf(type);
  return Object.keys(body).flatMap((name) => {
    const at = `${pointer}/${escapePointer(name)}`;
    const declared = fields.get(name);
    if (!declared) return [{ pointer: at, detail: 'is not a field of this request' }];
    const { nested, isList } = declared.kind;
    if (!nested) return [];
    return objectsIn(body[name], declared.kind).flatMap((one, i) =>
      unknownMembers(nested(), one, isList ? `${at}/${i}` : at),
    );
  });
}

function finish(
  type: DtoClass,
  values: Record<string, unknown>,
  faults: RequestFault[],
  root: '/' | '?',
): object {
  const read = readFields(type, values);
  if (read && faults.length === 0) return read;
  for (const error of validateSync(instantiate(type, values), { forbidUnknownValues: false })) {
    faults.push(...describe(error, root));
  }
  throw new DomainError('invalid_request', { faults });
}

/**
 * The members in canonical form: names normalised, ids in lower case, times in UTC; nothing when one of them cannot be
 * read. Most requests have no fault, and class-validator, which finds them all, takes three times as long to say so.
 */
function readFields(type: DtoClass, values: Record<string, unknown>): object | undefined {
  const dto = new type() as Record<string, unknown>;
  for (const declared of fieldsOf(type).values()) {
    const { name, kind } = declared;
    const value = values[name];
    if (mayBeAbsent(declared, value)) {
      if (value === null) dto[name] = null;
    } else if (kind.nested) {
      const nested = readNested(kind, kind.nested(), value);
      if (!nested) return undefined;
      dto[name] = nested;
    } else {
      const read = kind.read(value);
      if (!('value' in read)) return undefined;
      dto[name] = read.value;
    }
  }
  return dto;
}

function readNested(kind: FieldKind, type: DtoClass, value: unknown): object | undefined {
  if (!kind.isList) return isBare(value) ? readFields(type, value) : undefined;
  if (!Array.isArray(value)) return undefined;
  const list = value.map((one) => (isBare(one) ? readFields(type, one) : undefined));
  return 'value' in kind.read(list) ? list : undefined;
}

function instantiate(type: DtoClass, values: Record<string, unknown>): object {
  const dto = new type() as Record<string, unknown>;
  for (const { name, kind } of fieldsOf(type).values()) {
    const value = values[name];
    if (value === undefined) continue;
    dto[name] = kind.nested ? instantiated(kind, kind.nested(), value) : value;
  }
  return dto;
}

function instantiated({ isList }: FieldKind, type: DtoClass, value: unknown): unknown {
  if (isList && Array.isArray(value))
    return value.map((one) => (isBare(one) ? instantiate(type, one) : (one as unknown)));
  return !isList && isBare(value) ? instantiate(type, value) : value;
}

/** The objects that stand where one, or a list of them, is declared. */
function objectsIn(value: unknown, { isList }: FieldKind): Record<string, unknown>[] {
  if (!isList) return isBare(value) ? [value] : [];
  return Array.isArray(value) ? value.filter(isBare) : [];
}

/** A member is at fault as a whole, or by its members. class-validator would say both, and in words of its own. */
function describe({ property, constraints, children }: ValidationError, root: string): RequestFault[] {
  const pointer = `${root}${root === '?' ? property : escapePointer(property)}`;
  const own = constraints?.['readable'];
  if (own !== undefined) return [{ pointer, detail: own }];
  return (children ?? []).flatMap((child) => describe(child, `${pointer}/`));
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
