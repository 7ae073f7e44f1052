import type { Unread } from '../reported-items.js';

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
export type TracesReading = { ok: true; spans: Span[]; rejected: string[] } | Unread;
