import { describe, expect, it } from '@jest/globals';
import { capturedSpans } from '../../../../test/support/captured-spans.js';
import type { AttributeValue } from './span.js';
import { usageOf } from './usage.js';

const of = (attributes: Record<string, AttributeValue>): ReturnType<typeof usageOf> =>
  usageOf(new Map(Object.entries(attributes)));

describe('the usage that a span states', () => {
  it('Captured spans of three dialects state what their models used, caches and reasoning among it', () => {
    const used = (file: string): unknown[] =>
      capturedSpans(file)
        .filter(({ name }) => /^chat|doGenerate$|FakeBuiltModel/.test(name))
        .map(({ attributes }) => usageOf(attributes));
    expect(used('aisdk.json')[0]).toEqual({
      tokensIn: 30,
      tokensOut: 7,
      details: { cache_read_tokens: 12 },
    });
    expect(used('aisdk-legacy.json')[0]).toEqual({
      tokensIn: 30,
      tokensOut: 7,
      details: { cache_read_tokens: 12, reasoning_tokens: 3 },
    });
    expect(used('oi-langgraph.json')[1]).toEqual({
      tokensIn: 21,
      tokensOut: 5,
      details: { cache_read_tokens: 8, reasoning_tokens: 2 },
    });
  });

  it('Langfuse states usage and cost as objects in a text, of which every digit counts', () => {
    const details = '{"input":11,"output":7,"cache_read_input_tokens":4,"output_reasoning_tokens":2}';
    expect(
      of({
        'langfuse.observation.usage_details': details,
        'langfuse.observation.cost_details': '{"input":0.002,"total":0.0000000021}',
      }),
    ).toEqual({
      tokensIn: 11,
      tokensOut: 7,
      details: { cache_read_tokens: 4, reasoning_tokens: 2 },
      costUsd: '0.0000000021',
    });
    for (const text of ['{"input":', '[1]', '11', '{"input":1.5}', '{"__proto__":{"input":1}}']) {
      expect(of({ 'langfuse.observation.usage_details': text })).toBeUndefined();
    }
  });

  it('New names stand before old ones, and counts may be integers, doubles or digits', () => {
    const old = { 'gen_ai.usage.prompt_tokens': 1n, 'gen_ai.usage.completion_tokens': 2n };
    expect(of(old)).toMatchObject({ tokensIn: 1, tokensOut: 2 });
    expect(of({ ...old, 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': '4' })).toMatchObject({
      tokensIn: 3,
      tokensOut: 4,
    });
    expect(of({ 'gen_ai.usage.cache_write.input_tokens': 5n, 'gen_ai.usage.input_tokens': 9n })).toEqual({
      tokensIn: 9,
      details: { cache_write_tokens: 5 },
    });
  });

  it('A reporter that leaves the caches out of the input has them added', () => {
    expect(
      of({
        'gen_ai.usage.input_tokens': 10n,
        'gen_ai.usage.cache_read_input_tokens': 100n,
        'gen_ai.usage.cache_creation_input_tokens': 20n,
      }),
    ).toMatchObject({ tokensIn: 130, details: { cache_read_tokens: 100, cache_write_tokens: 20 } });
    const cached = { 'gen_ai.usage.cache_read_input_tokens': 100n };
    expect(of({ ...cached, 'gen_ai.usage.input_tokens': 100n })).toMatchObject({ tokensIn: 100 });
  });

  it('What is no count is passed over, and a span that states nothing has no usage', () => {
    for (const value of [-1n, 1.5, NaN, 'many', true, [1n], 2n ** 60n, null]) {
      expect([value, of({ 'gen_ai.usage.input_tokens': value })]).toEqual([value, undefined]);
    }
    expect(of({ 'gen_ai.usage.input_tokens': 'many', 'llm.token_count.prompt': 7n })).toMatchObject({
      tokensIn: 7,
    });
    expect(of({})).toBeUndefined();
    expect(of({ 'gen_ai.usage.input_tokens': 0n })).toEqual({ tokensIn: 0, details: {} });
  });

  it('A cost is the decimal that was sent; a double with more than ten places is rounded to them', () => {
    expect(of({ 'gen_ai.usage.cost': 0.0001 })?.costUsd).toBe('0.0001');
    expect(of({ 'llm.cost.total': 0.1 + 0.2 })?.costUsd).toBe('0.3');
    expect(of({ 'operation.cost': '1.25' })?.costUsd).toBe('1.25');
    expect(of({ 'operation.cost': 2n, 'gen_ai.usage.cost': 9 })?.costUsd).toBe('2');
    for (const cost of [-1, NaN, Infinity, 'free']) expect(of({ 'gen_ai.usage.cost': cost })).toBeUndefined();
  });
});
