import type { Span } from './span.js';

/** Nanoseconds since 1970 as a moment with six decimals; cut off, not rounded. They reach to the year 2554. */
export function momentOf(nanos: bigint): string {
  const second = Number(nanos / NANOS_PER_SECOND);
  const micros = Math.floor(Number(nanos % NANOS_PER_SECOND) / 1_000);
  if (second !== lastSecond.number) {
    lastSecond = { number: second, text: new Date(second * 1_000).toISOString().slice(0, 19) };
  }
  return `${lastSecond.text}.${String(micros).padStart(6, '0')}Z`;
}

const NANOS_PER_SECOND = 1_000_000_000n;
/** Spans of a trace are mostly of few seconds. */
let lastSecond = { number: -1, text: '' };

/** When the span began, or the nearest thing to it that is known. */
export function startOf(span: Span, otherwise: bigint): bigint {
  if (span.startedAt > 0n) return span.startedAt;
  return span.endedAt > 0n ? span.endedAt : otherwise;
}

/** What is wrong with the clock that the span was timed by; nothing when it looks right. */
export function clockFlagOf(span: Span): 'no_start' | 'end_before_start' | undefined {
  if (span.startedAt === 0n) return 'no_start';
  return span.endedAt > 0n && span.endedAt < span.startedAt ? 'end_before_start' : undefined;
}

/** The second in which the first span with a time began; for spans that have none. */
export function secondOfTrace(spans: readonly Span[]): bigint {
  let first = 0n;
  for (const { startedAt, endedAt } of spans) {
    const time = startedAt || endedAt;
    if (time > 0n && (first === 0n || time < first)) first = time;
  }
  return first - (first % 1_000_000_000n);
}
