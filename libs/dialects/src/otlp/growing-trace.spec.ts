import { describe, expect, it } from '@jest/globals';
import { encodeJson } from '@agentflow/domain';
import fc from 'fast-check';
import { capturedTraces, langfuseSpans } from '../../../../test/support/captured-spans.js';
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
