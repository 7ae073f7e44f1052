import { type AttributeValue, decodeJsonTraces, decodeProtobufTraces, type Span } from '@agentflow/dialects';
import { readFileSync } from 'node:fs';

/** A span as the captures list it: one object each, attributes by name. */
interface Captured {
  res: Record<string, unknown>;
  scope: string;
  attributes: Record<string, unknown>;
  events: { attributes?: Record<string, unknown> }[];
}

/** The spans of a capture in `test/fixtures/otlp`, each as the only one of its group in a request of OTLP. */
export function capturedResourceSpans(file: string): object[] {
  const text = readFileSync(new URL(`../fixtures/otlp/${file}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as Captured[]).map(({ res, scope, attributes, events, ...span }) => {
    const [, name, version] = /^(.*)@([^@]*)$/.exec(scope) ?? [];
    const asSent = events.map((event) => ({ ...event, attributes: pairsOf(event.attributes ?? {}) }));
    const spans = [{ ...span, attributes: pairsOf(attributes), events: asSent }];
    return { resource: { attributes: pairsOf(res) }, scopeSpans: [{ scope: { name, version }, spans }] };
  });
}

/** The same, as they are read from a request that carries them. */
export function capturedSpans(file: string): Span[] {
  const reading = decodeJsonTraces(JSON.stringify({ resourceSpans: capturedResourceSpans(file) }));
  if (!reading.ok || reading.rejected.length > 0) throw new Error(`${file} is not a capture of spans`);
  return reading.spans;
}

/** The same, each trace by itself. */
export function capturedTraces(file: string): Span[][] {
  const traces = new Map<string, Span[]>();
  for (const span of capturedSpans(file))
    traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span]);
  return [...traces.values()];
}

/** The spans of a request that a Langfuse SDK sent: `langfuse-js.otlp.json`, `langfuse-py.otlp.pb`. */
export function langfuseSpans(file: string): Span[] {
  const body = readFileSync(new URL(`../fixtures/drop-in/${file}`, import.meta.url));
  const reading = file.endsWith('.json') ? decodeJsonTraces(body.toString()) : decodeProtobufTraces(body);
  if (!reading.ok || reading.rejected.length > 0) throw new Error(`${file} is not a request with spans`);
  return reading.spans;
}

/** A span of one trace as it was read; `attributes`, `resource` and `scope` are told in short. */
export function aSpan({
  attributes = {},
  resource = {},
  scope = '',
  status = {},
  ...span
}: SpanInShort = {}): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: '00000000000000a1',
    parentSpanId: undefined,
    name: 'a span',
    kind: 1,
    startedAt: 1_795_966_532_000_000_000n,
    endedAt: 1_795_966_533_000_000_000n,
    events: [],
    ...span,
    status: { code: 0, message: '', ...status },
    attributes: new Map(Object.entries(attributes)),
    resource: new Map(Object.entries(resource)),
    scope: { name: scope, version: '', attributes: new Map() },
  };
}

interface SpanInShort extends Partial<Omit<Span, 'attributes' | 'resource' | 'scope' | 'status'>> {
  attributes?: Record<string, AttributeValue>;
  resource?: Record<string, AttributeValue>;
  scope?: string;
  status?: Partial<Span['status']>;
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
