import { decodeJsonTraces, type Span } from '@agentflow/dialects';
import { readFileSync } from 'node:fs';

/** A span as the captures list it: one object each, attributes by name. */
interface Captured {
  res: Record<string, unknown>;
  scope: string;
  attributes: Record<string, unknown>;
  events: { attributes?: Record<string, unknown> }[];
}

/** The spans of a capture in `test/fixtures/otlp`, as they are read from an OTLP request that carries them. */
export function capturedSpans(file: string): Span[] {
  const text = readFileSync(new URL(`../fixtures/otlp/${file}`, import.meta.url), 'utf8');
  const resourceSpans = (JSON.parse(text) as Captured[]).map(
    ({ res, scope, attributes, events, ...span }) => {
      const [, name, version] = /^(.*)@([^@]*)$/.exec(scope) ?? [];
      const asSent = events.map((event) => ({ ...event, attributes: pairsOf(event.attributes ?? {}) }));
      const spans = [{ ...span, attributes: pairsOf(attributes), events: asSent }];
      return { resource: { attributes: pairsOf(res) }, scopeSpans: [{ scope: { name, version }, spans }] };
    },
  );
  const reading = decodeJsonTraces(JSON.stringify({ resourceSpans }));
  if (!reading.ok || reading.rejected.length > 0) throw new Error(`${file} is not a capture of spans`);
  return reading.spans;
}

function pairsOf(attributes: Record<string, unknown>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

function anyValueOf(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValueOf) } };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
