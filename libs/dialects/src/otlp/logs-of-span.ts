import type { LogRecord } from './log-record.js';
import { jsonTextOf } from './payload-of.js';
import type { Span, SpanEvent } from './span.js';

/**
 * The log records of each span that tell something about it: what a model was asked and answered, and what an evaluation
 * came to. Records that were delivered twice are one; other logs are left out.
 */
export function logsBySpan(logs: readonly LogRecord[]): ReadonlyMap<string, LogRecord[]> {
  const bySpan = new Map<string, Map<string, LogRecord>>();
  for (const log of logs) {
    if (!log.eventName.startsWith('gen_ai.')) continue;
    const known = bySpan.get(log.spanId) ?? new Map<string, LogRecord>();
    bySpan.set(log.spanId, known.set(jsonTextOf([log.eventName, log.at, log.body, log.attributes]), log));
  }
  return new Map([...bySpan].map(([spanId, known]) => [spanId, [...known.values()].sort(inOrder)]));
}

/** The span with the records as events of it. */
export function withLogs(span: Span, logs: readonly LogRecord[]): Span {
  return { ...span, events: [...span.events, ...logs.map(eventOf)] };
}

function eventOf({ at, eventName, attributes, body }: LogRecord): SpanEvent {
  return {
    at,
    name: eventName,
    attributes: body === null ? attributes : new Map([...attributes, ['body', body]]),
  };
}

/**
 * By time. Of one moment the instructions stand first and the answer last; the sort is stable, so all others stay in the
 * order in which they were told.
 */
function inOrder(a: LogRecord, b: LogRecord): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return placeOf(a) - placeOf(b);
}

function placeOf({ eventName }: LogRecord): number {
  if (eventName === 'gen_ai.system.message') return 0;
  return eventName === 'gen_ai.choice' ? 2 : 1;
}
