/**
 * A value as OTLP carries it: integers are exact, bytes stay bytes, and what has members keeps them in a `Map`, where no
 * name means anything to JavaScript. An absent value is null.
 */
export type AttributeValue =
  string | boolean | number | bigint | null | Uint8Array | readonly AttributeValue[] | Attributes;

/** By name; of two values under one name the later stands. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** What happened at one moment of a span. */
export interface SpanEvent {
  /** Nanoseconds since 1970; 0 when unknown. */
  at: bigint;
  name: string;
  attributes: Attributes;
}

/** One span with what its group says about it, whichever encoding it came in. */
export interface Span {
  /** 32 digits of lower-case hex. */
  traceId: string;
  /** 16 digits of lower-case hex. */
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer; 0 when unsaid. */
  kind: number;
  /** Nanoseconds since 1970; 0 when unknown. */
  startedAt: bigint;
  endedAt: bigint;
  attributes: Attributes;
  events: readonly SpanEvent[];
  /** 0 unset, 1 ok, 2 error. */
  status: { code: number; message: string };
  scope: { name: string; version: string; attributes: Attributes };
  /** What the process says of itself. */
  resource: Attributes;
}

/** A request for the export of spans, read. What cannot be read at all is malformed; what one span lacks is its own. */
export type TracesReading = { ok: true; spans: Span[]; rejected: string[] } | { ok: false; detail: string };

/** Thrown inside the decoders where the encoding itself is broken. */
export class Malformed extends Error {}

/** Thrown inside the decoders where one span cannot be kept. */
export class UnusableSpan extends Error {}

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

/** Reads one span, or notes why it cannot be kept. Anything else than `UnusableSpan` is thrown on. */
export function keepOrReject(spans: Span[], rejected: string[], read: () => Span): void {
  try {
    spans.push(read());
  } catch (error) {
    if (!(error instanceof UnusableSpan)) throw error;
    rejected.push(error.message);
  }
}
