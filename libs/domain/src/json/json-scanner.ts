import {
  CARRIAGE_RETURN,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_E,
  LOWER_U,
  MINUS,
  NINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './character-codes.js';
import { printedLength } from './json-number.js';
import { Lookout } from './lookout.js';

/** Reading ends at `offset` for good. Thrown by the scanner; its callers turn it into a fault. */
export class UnreadableJson extends SyntaxError {
  constructor(
    readonly offset: number,
    readonly detail: string,
    readonly kind: 'malformed' | 'too_large' = 'malformed',
  ) {
    super(detail);
  }
}

/** Legal JSON that must not be kept: where, and why. */
export interface Flaw {
  readonly offset: number;
  readonly detail: string;
}

/** Longer literals are a burden to every reader, and no measurement needs them. */
const LONGEST_NUMBER = 128;

/** The exponents that programs print for doubles, from 5e-324 to 1.8e308. */
const SMALLEST_EXPONENT = -324;
const LARGEST_EXPONENT = 308;

/** For each open container of the value that is being passed 1 for an object, 0 for an array: one value at a time is. */
const KINDS = new Uint8Array(1_000);

/** Control characters that are not even whitespace, so that neither strings nor the space between may hold them. */
const ILLEGAL_ANYWHERE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/**
 * Walks JSON text and proves that it can be kept, building nothing. It is iterative: no input makes it
 * overflow the stack, and its time is linear in the text.
 *
 * Strings are passed by `indexOf` (a memory scan), with the next backslash, tab and line break kept ahead,
 * and not character by character: two to three times faster than a `charCodeAt` loop, which alone takes
 * longer than `JSON.parse`.
 */
export class JsonScanner {
  /** The first flaw since `forget()`. Scanning goes on behind it: the text is still well-formed. */
  flaw: Flaw | undefined;
  /** Characters that Postgres prints beyond the text's own when it is stored as `jsonb`, since `forget()`. */
  growth = 0;

  private readonly backslash: Lookout;
  private readonly lineFeed: Lookout;
  private readonly tab: Lookout;
  private readonly carriageReturn: Lookout;
  private nextBreak = -1;
  /** The same for all scanners, but for those that meet what is deeper. */
  private kinds = KINDS;

  constructor(
    readonly text: string,
    private readonly deepest: number,
  ) {
    const control = text.search(ILLEGAL_ANYWHERE);
    if (control >= 0) this.fail(control, 'a control character is not allowed');
    this.backslash = new Lookout(text, '\\');
    this.lineFeed = new Lookout(text, '\n');
    this.tab = new Lookout(text, '\t');
    this.carriageReturn = new Lookout(text, '\r');
  }

  /** Starts a new account of flaws and growth. */
  forget(): void {
    this.flaw = undefined;
    this.growth = 0;
  }

  /** Passes the value that starts at `start` (no whitespace before it) and returns the offset after it. */
  skipValue(start: number): number {
    let depth = 0;
    let at = start;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        const inner = this.skipSpace(at + 1);
        this.enter(depth, code, at);
        if (this.text.charCodeAt(inner) === code + TO_CLOSE) {
          at = inner + 1;
        } else {
          depth++;
          at = code === OPEN_OBJECT ? this.skipName(inner) : inner;
          continue;
        }
      } else {
        at = this.skipScalar(at, code);
      }
      while (depth > 0) {
        at = this.skipSpace(at);
        const isObject = this.kinds[depth - 1] === 1;
        const after = this.text.charCodeAt(at);
        if (after === COMMA) {
          this.growth++;
          at = this.skipSpace(at + 1);
          if (isObject) at = this.skipName(at);
          break;
        }
        if (after !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          this.fail(at, isObject ? "expected ',' or '}'" : "expected ',' or ']'");
        }
        depth--;
        at++;
      }
      if (depth === 0) return at;
    }
  }

  /** The offset of the next character that is not insignificant whitespace. */
  skipSpace(from: number): number {
    const { text } = this;
    let at = from;
    let code = text.charCodeAt(at);
    while (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB) {
      code = text.charCodeAt(++at);
    }
    return at;
  }

  /** Passes a member's name, its colon and the space around them; returns where the value starts. */
  skipName(start: number): number {
    if (this.text.charCodeAt(start) !== QUOTE) this.fail(start, "expected a member's name in quotes");
    return this.skipColon(this.skipString(start));
  }

  /** Passes the colon after a member's name and the space around it. */
  skipColon(from: number): number {
    const colon = this.skipSpace(from);
    if (this.text.charCodeAt(colon) !== COLON) this.fail(colon, "expected ':'");
    this.growth++;
    return this.skipSpace(colon + 1);
  }

  /** Passes the string that opens at `open`. */
  skipString(open: number): number {
    let close = this.text.indexOf('"', open + 1);
    let from = open;
    while (this.backslash.atOrAfter(from) < close) {
      from = this.skipEscape(this.backslash.next);
      if (close < from) close = this.text.indexOf('"', from);
    }
    if (close < 0) this.fail(open, 'the string has no end');
    if (this.nextBreak < open) this.nextBreak = this.breakFrom(open);
    if (this.nextBreak < close) this.fail(this.nextBreak, 'a control character must be escaped');
    return close + 1;
  }

  /** Refuses anything but whitespace from `from` to the end of the text. */
  expectEnd(from: number): void {
    const at = this.skipSpace(from);
    if (at < this.text.length) this.fail(at, 'expected the end of the text');
  }

  /** Says that the text is not JSON at `offset`. */
  fail(offset: number, expectation: string): never {
    const place = offset < this.text.length ? `at character ${offset}` : 'but the text ends';
    throw new UnreadableJson(offset, `The text is not JSON: ${expectation} ${place}.`);
  }

  private skipScalar(start: number, code: number): number {
    if (code === QUOTE) return this.skipString(start);
    if (code === MINUS || isDigit(code)) return this.skipNumber(start);
    const word = code === 116 ? 'true' : code === 102 ? 'false' : code === 110 ? 'null' : undefined;
    if (word !== undefined && this.text.startsWith(word, start)) return start + word.length;
    if (/^(?:NaN|Infinity)/.test(this.text.slice(start, start + 8))) {
      this.fail(start, 'NaN and Infinity are not numbers of JSON,');
    }
    return this.fail(start, 'expected a value');
  }

  private skipNumber(start: number): number {
    const { text } = this;
    const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
    let end = text.charCodeAt(first) === ZERO ? first + 1 : this.skipDigits(first);
    if (text.charCodeAt(end) === POINT) end = this.skipDigits(end + 1);
    const mark = text.charCodeAt(end) | LOWER_CASE;
    if (mark === LOWER_E) {
      const sign = text.charCodeAt(end + 1);
      const power = end + 1;
      end = this.skipDigits(sign === PLUS || sign === MINUS ? power + 1 : power);
      this.weighPower(start, power, end);
    }
    if (end - start > LONGEST_NUMBER) {
      this.note(start, `The number has more than ${LONGEST_NUMBER} characters.`);
    }
    return end;
  }

  private skipDigits(start: number): number {
    const { text } = this;
    let at = start;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at === start) this.fail(at, 'expected a digit');
    return at;
  }

  /** Judges a number with an exponent: its range, and how long Postgres would print it. */
  private weighPower(start: number, power: number, end: number): void {
    if (end - start > LONGEST_NUMBER) return;
    const literal = this.text.slice(start, end);
    const exponent = Number(this.text.slice(power, end));
    const isInRange = exponent >= SMALLEST_EXPONENT && exponent <= LARGEST_EXPONENT;
    if (!isInRange || !Number.isFinite(Number(literal))) {
      this.note(start, 'The number is outside the range of a double (about 5e-324 to 1.8e308).');
    } else {
      this.growth += Math.max(0, printedLength(literal) - literal.length);
    }
  }

  /** Passes one escape, both halves of a surrogate pair at once, and returns the offset after it. */
  private skipEscape(at: number): number {
    const kind = this.text.charCodeAt(at + 1);
    if (kind !== LOWER_U) {
      if (!SIMPLE_ESCAPES.includes(this.text.charAt(at + 1)) || Number.isNaN(kind)) {
        this.fail(at, 'unknown escape');
      }
      return at + 2;
    }
    const unit = this.hexAt(at + 2);
    if (unit === 0) this.note(at, 'The text contains U+0000 (NUL), which cannot be stored.');
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    if (unit < 0xdc00 && this.text.startsWith('\\u', at + 6)) {
      const low = this.hexAt(at + 8);
      if (low >= 0xdc00 && low <= 0xdfff) return at + 12;
    }
    this.note(at, 'The text contains half of a surrogate pair, which is no character.');
    return at + 6;
  }

  private hexAt(at: number): number {
    const digits = this.text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail(at - 2, 'expected four hexadecimal digits');
    return Number.parseInt(digits, 16);
  }

  private breakFrom(offset: number): number {
    return Math.min(
      this.lineFeed.atOrAfter(offset),
      this.tab.atOrAfter(offset),
      this.carriageReturn.atOrAfter(offset),
    );
  }

  private enter(depth: number, code: number, at: number): void {
    if (depth >= this.deepest) this.note(at, `The value is nested deeper than ${this.deepest} levels.`);
    if (depth === this.kinds.length) this.kinds = widened(this.kinds);
    this.kinds[depth] = code === OPEN_OBJECT ? 1 : 0;
  }

  private note(offset: number, detail: string): void {
    this.flaw ??= { offset, detail };
  }
}

/** Twice as long each time: what is deep is passed in linear time, so that its end is found and only it is refused. */
function widened(kinds: Uint8Array): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(kinds.length * 2);
  wider.set(kinds);
  return wider;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

const SIMPLE_ESCAPES = '"\\/bfnrt';

/** Both closing brackets stand two places behind their opening ones. */
const TO_CLOSE = 2;

/** Added to a capital letter it gives the small one. */
const LOWER_CASE = 32;
