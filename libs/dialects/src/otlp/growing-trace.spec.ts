import { describe, expect, it } from '@jest/globals';
import { encodeJson } from '@agentflow/domain';
import fc from 'fast-check';
import { aSpan, capturedTraces, langfuseSpans } from '../../../../test/support/captured-spans.js';
import type { Item } from '../reported-items.js';
import { mapTrace } from './map-trace.js';
import type { Span } from './span.js';

const traces: Span[][] = [
  ...['aisdk.json', 'aisdk-legacy.json', 'oi-langgraph.json'].flatMap(capturedTraces),
  ...['langfuse-js.otlp.json', 'langfuse-py.otlp.pb'].map(langfuseSpans),
];
const keyOf = (item: Item): string => `${item.type} ${item.id ?? item.run_id}`;
const written = (items: readonly Item[]): Map<string, string> =>
  new Map(items.map((item) => [keyOf(item), encodeJson(item)]));
/** Whose run it is said to be until it is announced does not count. */
const messagesIn = (spans: readonly Span[]): Map<string, string> => {
  const messages = mapTrace(spans).items.filter(({ type }) => type === 'message');
  return written(messages.map((item) => ({ ...item, agent: undefined })));
};
const sorted = (items: Map<string, string>): string[][] => [...items].sort(([a], [b]) => (a < b ? -1 : 1));

/** A trace in pieces: the indices of its spans, each once or more, in any order, some at a time. */
const pieces = fc.nat(traces.length - 1).chain((trace) => {
  const indices = (traces[trace] as Span[]).map((_, index) => index);
  const twice = fc.shuffledSubarray([...indices, ...indices], { minLength: indices.length });
  return fc.record({
    trace: fc.constant(trace),
    order: twice.map((some) => [...some, ...indices.filter((index) => !some.includes(index))]),
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
  });
});

describe('a trace that arrives in pieces', () => {
  it('[O4] [O5] Mapped with every piece that arrives, it ends in the items of the whole, in whatever order and however often', () => {
    fc.assert(
      fc.property(pieces, ({ trace, order, sizes }) => {
        const whole = traces[trace] as Span[];
        const union = new Map<string, string>();
        for (let known = 0, piece = 0; known < order.length; piece++) {
          known += sizes[piece % sizes.length] ?? 1;
          const spans = order.slice(0, known).map((index) => whole[index] as Span);
          for (const [key, item] of written(mapTrace(spans).items)) union.set(key, item);
        }
        expect(sorted(union)).toEqual(sorted(written(mapTrace(whole).items)));
      }),
      { numRuns: 200 },
    );
  });

  it('[O5] Messages stay as they were told first, and an agent of OpenAI Agents tells none that its models tell after it', () => {
    const said = (attribute: string, role: string, content: string): Record<string, string> => ({
      [attribute]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]),
    });
    const question = said('gen_ai.input.messages', 'user', 'hi');
    const answer = said('gen_ai.output.messages', 'assistant', 'ok');
    const scope = 'opentelemetry.instrumentation.openai_agents';
    const [root, agent, model] = [1, 2, 3].map((digit) =>
      aSpan({
        scope,
        spanId: `000000000000000${digit}`,
        parentSpanId: digit === 1 ? undefined : `000000000000000${digit - 1}`,
        attributes: {
          'gen_ai.operation.name': digit === 3 ? 'chat' : 'invoke_agent',
          ...(digit === 1 ? {} : { ...question, ...answer }),
          ...(digit === 3 ? { 'gen_ai.system_instructions': 'be brief' } : {}),
        },
      }),
    ) as [Span, Span, Span];
    const childFirst = traces.map((spans) => [...spans].sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1)));
    for (const spans of [...childFirst, [model, agent, root], [agent, model, root], [root, agent, model]]) {
      const first = new Map<string, string>();
      for (let known = 1; known <= spans.length; known++) {
        for (const [key, item] of messagesIn(spans.slice(0, known)))
          if (!first.has(key)) first.set(key, item);
      }
      expect(sorted(first)).toEqual(sorted(messagesIn(spans)));
    }
  });

  it('[O4] The same spans give the same items, and each id of a type stands once', () => {
    for (const spans of traces) {
      const { items } = mapTrace(spans);
      expect(items.map((item) => encodeJson(item))).toEqual(
        mapTrace(spans).items.map((item) => encodeJson(item)),
      );
      expect(new Set(items.map(keyOf)).size).toBe(items.length);
    }
  });

  it('[O5] Without the root the run is running and every item names its agent', () => {
    for (const spans of traces) {
      const { items } = mapTrace(spans.filter(({ parentSpanId }) => parentSpanId !== undefined));
      expect(items.length).toBeGreaterThan(0);
      expect(items.filter(({ type }) => type.startsWith('run.'))).toEqual([]);
      expect(
        items.every(({ agent }) => agent !== undefined && /^[a-z0-9._-]{1,64}$/.test(agent.adapter)),
      ).toBe(true);
    }
  });
});
