import type { Unread } from '../reported-items.js';

/* What the decoders of both encodings share: which spans can be kept, and which not. */

/** Thrown inside the decoders where the encoding itself is broken. */
export class Malformed extends Error {}

/** Thrown inside the decoders where a request holds more than is decoded of one. */
export class Overfull extends Error {}

/** Thrown inside the decoders where one span cannot be kept. */
export class UnusableSpan extends Error {
  constructor(message: string) {
    // A request may hold thousands of them, and where each was found takes longer to note than all of its bytes to read.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * How much is decoded of one request. It is counted while it is decoded, since two bytes can be a span or an attribute, which
 * take a hundred times as much in memory.
 */
export interface DecodingLimits {
  /** Spans or log records; and as many groups of them. */
  records: number;
  /** Texts, values and messages, whatever they stand for. */
  parts: number;
  partsOfRecord: number;
}

/** For requests of at most so many records. The densest of 20 MiB that a library sends have a quarter of these parts. */
export function decodingLimitsFor(records: number): DecodingLimits {
  return { records, parts: 2_000_000, partsOfRecord: 40_000 };
}

/** For what was let in before. */
export const UNLIMITED: DecodingLimits = { records: Infinity, parts: Infinity, partsOfRecord: Infinity };

/** Counts what a request holds. */
export class Tally {
  private records = 0;
  private groups = 0;
  private parts = 0;
  /** How many parts there may be when the record ends that is being read; any number between records. */
  private mostInRecord = Infinity;

  constructor(private readonly limits: DecodingLimits) {}

  beginRecord(): void {
    this.mostInRecord = this.parts + this.limits.partsOfRecord;
    if (++this.records > this.limits.records) {
      throw new Overfull(`it has more than ${this.limits.records} records`);
    }
  }

  endRecord(): void {
    this.mostInRecord = Infinity;
  }

  addGroup(): void {
    if (++this.groups > this.limits.records) {
      throw new Overfull(`it has more than ${this.limits.records} groups`);
    }
  }

  addPart(): void {
    if (++this.parts > this.limits.parts) throw new Overfull(`it has more than ${this.limits.parts} parts`);
    if (this.parts > this.mostInRecord) {
      throw new UnusableSpan(`it has more than ${this.limits.partsOfRecord} parts`);
    }
  }
}

/** How deep values may nest; readers of JSON give up at some depth, and stacks do. */
export const DEEPEST_VALUE = 64;

/** An id as lower-case hex. Throws `UnusableSpan` when it has not so many bytes, or says nothing. */
export function spanIdOf(hex: string, bytes: number, what: string): string {
  if (hex.length !== bytes * 2 || !/^[0-9a-fA-F]*$/.test(hex)) {
    throw new UnusableSpan(`${what} has to be ${bytes} bytes`);
  }
  if (/^0*$/.test(hex)) throw new UnusableSpan(`${what} is all zeros`);
  return hex.toLowerCase();
}

/** The parent's id; a root has none, and some say so with zeros. */
export function parentIdOf(hex: string): string | undefined {
  return /^0*$/.test(hex) ? undefined : spanIdOf(hex, 8, 'parentSpanId');
}

/** A function that works once, at its first call; what it throws is thrown again. */
export function once<T>(work: () => T): () => T {
  let outcome: { value: T } | { error: unknown } | undefined;
  return () => {
    outcome ??= outcomeOf(work);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function outcomeOf<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** What was read; or why nothing was, when the request itself is at fault. */
export function readOrUnread<Reading>(read: () => Reading): Reading | Unread {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, detail: error.message };
    if (error instanceof Overfull) return { ok: false, detail: error.message, isTooLarge: true };
    throw error;
  }
}

/** Reads one span or log record, or notes why it cannot be kept. Anything else than `UnusableSpan` is thrown on. */
export function keepOrReject<T>(kept: T[], rejected: string[], tally: Tally, read: () => T): void {
  tally.beginRecord();
  try {
    kept.push(read());
  } catch (error) {
    if (!(error instanceof UnusableSpan)) throw error;
    rejected.push(error.message);
  } finally {
    tally.endRecord();
  }
}
