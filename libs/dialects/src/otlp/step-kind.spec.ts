import { describe, expect, it } from '@jest/globals';
import { capturedSpans } from '../../../../test/support/captured-spans.js';
import type { AttributeValue } from './span.js';
import { stepKindOf } from './step-kind.js';

const of = (attributes: Record<string, AttributeValue>): ReturnType<typeof stepKindOf> =>
  stepKindOf(new Map(Object.entries(attributes)));

describe('what a span is to an agent', () => {
  it('Captured spans of three dialects are what their reporters meant', () => {
    const kinds = (file: string): string[] =>
      capturedSpans(file).map((span) => `${span.name}: ${stepKindOf(span.attributes)}`);
    expect(kinds('aisdk.json').slice(0, 6)).toEqual([
      'chat gpt-mock: llm',
      'execute_tool get_weather: tool',
      'step 1: chain',
      'chat gpt-mock: llm',
      'step 2: chain',
      'invoke_agent gpt-mock: agent',
    ]);
    expect(new Set(kinds('aisdk-legacy.json'))).toEqual(
      new Set(['ai.toolCall: tool', 'ai.generateText.doGenerate: llm', 'ai.generateText: agent']),
    );
    expect(new Set(kinds('oi-langgraph.json'))).toEqual(
      new Set([
        '__start__: chain',
        'FakeBuiltModel: llm',
        'RunnableLambda: chain',
        'agent: chain',
        'get_weather: tool',
        'tools: chain',
        'weather-graph: chain',
      ]),
    );
  });

  it("A reporter's own word stands before the conventions, whatever its case, and an unknown word says nothing", () => {
    expect(of({ 'gen_ai.operation.name': 'chat', 'openinference.span.kind': 'Tool' })).toBe('tool');
    expect(of({ 'langfuse.observation.type': 'generation', 'openinference.span.kind': 'CHAIN' })).toBe('llm');
    expect(of({ 'openinference.span.kind': 'UNKNOWN', 'gen_ai.operation.name': 'retrieval' })).toBe(
      'retriever',
    );
    for (const word of ['constructor', '__proto__', 'toString']) {
      expect(of({ 'gen_ai.operation.name': word })).toBeUndefined();
    }
    expect(of({ 'gen_ai.operation.name': 'invoke_workflow' })).toBe('agent');
    expect(of({ 'gen_ai.operation.name': 'upsert_memory' })).toBe('memory');
    expect(of({ 'traceloop.span.kind': 'workflow' })).toBe('agent');
  });

  it('A span without a word is what its attributes show, and one of HTTP or SQL is nothing', () => {
    expect(of({ 'gen_ai.tool.name': 'search', 'gen_ai.request.model': 'm' })).toBe('tool');
    expect(of({ 'llm.model_name': 'm' })).toBe('llm');
    expect(of({ 'http.request.method': 'GET', 'db.system.name': 'postgresql' })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });
});
