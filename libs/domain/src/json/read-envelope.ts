import { Bare } from './bare.js';
import {
  BYTE_ORDER_MARK,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  MINUS,
  NINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
} from './character-codes.js';
import type { EnvelopeShape } from './envelope-shape.js';
import { faultsByItem } from './faults-by-item.js';
import { DEFAULT_JSON_LIMITS, type JsonFault, type JsonFaultKind, type JsonLimits } from './json-fault.js';
import { canonicalNumber } from './json-number.js';
import { jsonPointer, type PathSegment } from './json-pointer.js';
import { JsonScanner, UnreadableJson } from './json-scanner.js';
import { decodedString } from './json-text.js';
import { faultOfPayload, type PayloadKind } from './payload-check.js';
import { RawJson } from './raw-json.js';
import { unreadableFault } from './read-payload.js';

/** The members of an envelope, without a prototype: `__proto__` and `constructor` are names like others. */
export type Envelope = Record<string, unknown>;

/**
 * What a body says. When it is not `ok`, `value` is there as far as it could be read (never after a
 * `malformed` fault): members at fault are undefined in it, all others hold, so that a batch can refuse
 * single items.
 */
export type EnvelopeReading =
  | { readonly ok: true; readonly value: Envelope }
  | { readonly ok: false; readonly faults: readonly JsonFault[]; readonly value?: Envelope };

/** More members in one envelope, or faults in one text, are no accident: the rest is not read. */
const MOST_MEMBERS = 1_000;
const MOST_FAULTS = 10_000;
/** Of an item of a batch no more are told. */
const MOST_FAULTS_OF_ITEM = 10;

const MOST_ITEMS = 10_000;

/** Only a shape that contains itself nests so deep. */
const DEEPEST_ENVELOPE = 100;

/**
 * Reads a request body, once. The text must be UTF-8 decoded strictly (`decodeUtf8`).
 *
 * Members that the shape calls opaque or structured become `RawJson`: their source text, byte for byte,
 * without the whitespace around it. Nested envelopes become objects without prototype. Everything else
 * becomes the value that `JSON.parse` gives, except that a number which a double cannot hold exactly stays
 * `RawJson`: no validator then takes it for its rounded neighbour.
 *
 * Refused, with a pointer: what is not JSON (byte order mark, trailing bytes, NaN and Infinity included), a
 * top level that is no object, a member named twice in an envelope (in a payload the last one wins for
 * readers, and both are kept), NUL and half surrogate pairs in any string or name, nesting over
 * `limits.depth` within one member, numbers that are over 128 characters long or outside a double's range,
 * and payloads over `limits.payloadBytes`. Each member gives one fault at most, its first.
 *
 * Never throws on any text, never recurses into payloads, and takes time linear in the text. Measured on 1 MiB
 * against `JSON.parse` of the same text (which cuts nothing out and checks less): one large payload takes as
 * long (1.0), a batch of 1,300 items of 14 members 2.0 to 2.2 times as long (160–190 MB/s), the same batch
 * with line breaks and indentation about 3 times.
 */
export function readEnvelope(
  text: string,
  shape: EnvelopeShape,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): EnvelopeReading {
  try {
    const reader = new EnvelopeReader(new JsonScanner(text, limits.depth), limits);
    const value = reader.read(shape);
    return reader.faults.length === 0 ? { ok: true, value } : { ok: false, faults: reader.faults, value };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { ok: false, faults: [unreadableFault(text, error)] };
  }
}

/** One item of a batch: what it says, or why it cannot be kept. */
export type ItemReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly faults: readonly JsonFault[] };

/** A batch, item by item; or the fault for which the whole of it cannot be read. */
export type BatchReading =
  | { readonly ok: true; readonly items: readonly ItemReading[] }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Reads a body that is a list of envelopes, by the rules of `readEnvelope`. An item at fault is refused by itself, its
 * pointers beginning at the item; a text that is no list of that length is refused as a whole.
 */
export function readEnvelopeList(
  text: string,
  shape: EnvelopeShape,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): BatchReading {
  try {
    const reader = new EnvelopeReader(new JsonScanner(text, limits.depth), limits);
    const list = reader.readWholeList(shape);
    const faults = reader.faults.length === 0 ? undefined : faultsByItem(reader.faults, '');
    return { ok: true, items: list.map((value, i) => readingOf(value, faults?.get(i), `/${i}`)) };
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { ok: false, fault: unreadableFault(text, error) };
  }
}

function readingOf(value: unknown, faults: readonly JsonFault[] | undefined, root: string): ItemReading {
  if (faults === undefined) return { ok: true, value };
  return {
    ok: false,
    faults: faults.map((fault) => ({ ...fault, pointer: fault.pointer.slice(root.length) })),
  };
}

/**
 * Reads a body with an envelope on each line (NDJSON). Lines are apart: one that is no JSON is refused by itself. Empty
 * lines are passed over.
 */
export function readEnvelopeLines(
  text: string,
  shape: EnvelopeShape,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): BatchReading {
  const items: ItemReading[] = [];
  const most = limits.items ?? MOST_ITEMS;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    if (line.trim() === '') continue;
    if (items.length === most) {
      return {
        ok: false,
        fault: { kind: 'too_large', pointer: '', detail: `The body has more than ${most} lines.` },
      };
    }
    items.push(readEnvelope(line, shape, limits));
  }
  return { ok: true, items };
}

/** A name and how it was written, quotes included. */
interface KnownName {
  readonly source: string;
  readonly name: string;
}

const MOST_KNOWN_NAMES = 64;

class EnvelopeReader {
  readonly faults: JsonFault[] = [];
  private readonly text: string;
  private readonly path: PathSegment[] = [];
  private readonly known = new Map<EnvelopeShape, KnownName[]>();
  private at = 0;
  /** The item of a batch that was last at fault, and how often it was. */
  private atFault: { item: PathSegment; times: number } | undefined;

  constructor(
    private readonly scanner: JsonScanner,
    private readonly limits: JsonLimits,
  ) {
    this.text = scanner.text;
  }

  read(shape: EnvelopeShape): Envelope {
    if (this.text.charCodeAt(0) === BYTE_ORDER_MARK) this.scanner.fail(0, 'a byte order mark is not allowed');
    this.at = this.scanner.skipSpace(0);
    if (this.code() !== OPEN_OBJECT) this.scanner.fail(this.at, 'the body must be an object, expected {');
    const value = this.readObject(shape);
    this.scanner.expectEnd(this.at);
    return value;
  }

  readWholeList(shape: EnvelopeShape): unknown[] {
    if (this.text.charCodeAt(0) === BYTE_ORDER_MARK) this.scanner.fail(0, 'a byte order mark is not allowed');
    this.at = this.scanner.skipSpace(0);
    if (this.code() !== OPEN_ARRAY) this.scanner.fail(this.at, 'the body must be a list, expected [');
    const list = this.readList(shape);
    this.scanner.expectEnd(this.at);
    return list;
  }

  /** From an opening brace to behind its closing one. Recursion goes as deep as shapes nest, no deeper. */
  private readObject(shape: EnvelopeShape): Envelope {
    if (this.path.length > DEEPEST_ENVELOPE) this.giveUp('The envelopes are nested too deep.');
    const envelope: Envelope = new Bare();
    this.at = this.scanner.skipSpace(this.at + 1);
    if (this.passed(CLOSE_OBJECT)) return envelope;
    const names = this.namesOf(shape);
    let isRepeated = false;
    for (let ordinal = 0; ; ordinal++) {
      const name = this.readName(names, ordinal);
      this.path.push(name);
      if (name in envelope && !isRepeated) {
        isRepeated = true;
        this.fault('duplicate', 'The member is named more than once.');
      }
      if (ordinal === MOST_MEMBERS) return this.passCrowd(envelope);
      envelope[name] = this.readMember(name, shape);
      this.path.pop();
      if (!this.hasMore(CLOSE_OBJECT, "expected ',' or '}'")) return envelope;
    }
  }

  /** One of several envelopes is at fault by itself when it has too many members; nothing more of it is read. */
  private passCrowd(envelope: Envelope): Envelope {
    const detail = `An object has over ${MOST_MEMBERS} members.`;
    this.path.pop();
    if (this.path.length === 0) this.giveUp(detail);
    this.fault('unkeepable', detail);
    for (;;) {
      this.at = this.scanner.skipValue(this.at);
      if (!this.hasMore(CLOSE_OBJECT, "expected ',' or '}'")) return envelope;
      this.at = this.scanner.skipName(this.at);
    }
  }

  private readList(shape: EnvelopeShape): unknown[] {
    const list: unknown[] = [];
    const most = this.limits.items ?? MOST_ITEMS;
    const start = this.at;
    this.at = this.scanner.skipSpace(this.at + 1);
    if (this.passed(CLOSE_ARRAY)) return list;
    for (;;) {
      if (list.length === most) return this.passMasses(list, start, `The list has more than ${most} items.`);
      this.path.push(list.length);
      list.push(this.code() === OPEN_OBJECT ? this.readObject(shape) : this.readOrdinary());
      this.path.pop();
      if (!this.hasMore(CLOSE_ARRAY, "expected ',' or ']'")) return list;
    }
  }

  /** An item of a batch is at fault by itself when a list in it is too long; nothing more of the list is read. */
  private passMasses(list: unknown[], start: number, detail: string): unknown[] {
    if (!this.isInItem()) throw new UnreadableJson(start, detail, 'too_large');
    this.fault('too_large', detail);
    do this.at = this.scanner.skipValue(this.at);
    while (this.hasMore(CLOSE_ARRAY, "expected ',' or ']'"));
    return list;
  }

  private readMember(name: string, shape: EnvelopeShape): unknown {
    if (shape.opaque?.has(name)) return this.readPayload('opaque');
    if (shape.structured?.has(name)) return this.readPayload('structured');
    const nested = shape.nested?.get(name);
    return nested === undefined ? this.readOrdinary() : this.readNested(nested);
  }

  private readNested(shape: EnvelopeShape): unknown {
    const code = this.code();
    if (code === OPEN_OBJECT) return this.readObject(shape);
    return code === OPEN_ARRAY ? this.readList(shape) : this.readOrdinary();
  }

  private readPayload(kind: PayloadKind): RawJson | undefined {
    const slice = this.passValue(kind);
    return slice === undefined ? undefined : RawJson.trusted(slice);
  }

  private readOrdinary(): unknown {
    const slice = this.passValue('opaque');
    if (slice === undefined) return undefined;
    const first = slice.charCodeAt(0);
    if (first === MINUS || (first >= ZERO && first <= NINE)) {
      return isExact(slice) ? Number(slice) : RawJson.trusted(slice);
    }
    if (slice === 'null') return null;
    // Parsed even when it is a plain string: a slice would keep the whole body alive for as long as itself.
    return JSON.parse(slice);
  }

  /** The text of the value at hand, or undefined when it is at fault. */
  private passValue(kind: PayloadKind): string | undefined {
    const { scanner, at: start } = this;
    scanner.forget();
    this.at = scanner.skipValue(start);
    const fault = faultOfPayload(scanner, start, this.at, kind, this.limits, this.path);
    if (fault === undefined) return this.text.slice(start, this.at);
    this.keep(fault);
    return undefined;
  }

  /**
   * Items of a list name their members in the same order nearly always, so a name is first compared with
   * the one that stood at its place in the envelope before; that saves a quarter of a batch's time.
   */
  private readName(known: KnownName[], ordinal: number): string {
    const { scanner, text, at: open } = this;
    const expected = known[ordinal];
    if (expected !== undefined && text.startsWith(expected.source, open)) {
      this.at = scanner.skipColon(open + expected.source.length);
      return expected.name;
    }
    if (this.code() !== QUOTE) scanner.fail(open, "expected a member's name in quotes");
    scanner.forget();
    const end = scanner.skipString(open);
    this.at = scanner.skipColon(end);
    const name = decodedString(text, open, end);
    if (scanner.flaw !== undefined) this.fault('unkeepable', scanner.flaw.detail);
    else if (ordinal < MOST_KNOWN_NAMES) known[ordinal] = { source: text.slice(open, end), name };
    return name;
  }

  private namesOf(shape: EnvelopeShape): KnownName[] {
    let names = this.known.get(shape);
    if (names === undefined) this.known.set(shape, (names = []));
    return names;
  }

  private hasMore(close: number, expectation: string): boolean {
    this.at = this.scanner.skipSpace(this.at);
    if (this.passed(close)) return false;
    if (this.code() !== COMMA) this.scanner.fail(this.at, expectation);
    this.at = this.scanner.skipSpace(this.at + 1);
    return true;
  }

  private passed(code: number): boolean {
    if (this.code() !== code) return false;
    this.at++;
    return true;
  }

  private code(): number {
    return this.text.charCodeAt(this.at);
  }

  private fault(kind: JsonFaultKind, detail: string): void {
    this.keep({ kind, pointer: jsonPointer(this.path), detail });
  }

  private keep(fault: JsonFault): void {
    if (this.isInItem()) {
      const [item] = this.path as [PathSegment];
      if (this.atFault?.item !== item) this.atFault = { item, times: 0 };
      if (++this.atFault.times > MOST_FAULTS_OF_ITEM) return;
    } else if (this.faults.length === MOST_FAULTS) {
      this.giveUp(`Over ${MOST_FAULTS} members are at fault.`);
    }
    this.faults.push(fault);
  }

  /** Whether what is read is an item of a batch, or in one. */
  private isInItem(): boolean {
    return typeof this.path[0] === 'number';
  }

  private giveUp(detail: string): never {
    throw new UnreadableJson(this.at, detail);
  }
}

/** Whether the double that `JSON.parse` makes of the literal is that very number. Up to 15 digits always are. */
function isExact(literal: string): boolean {
  if (literal.length <= 15) return true;
  return canonicalNumber(String(Number(literal))) === canonicalNumber(literal);
}
