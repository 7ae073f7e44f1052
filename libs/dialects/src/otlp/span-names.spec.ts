import { describe, expect, it } from '@jest/globals';
import { capturedSpans } from '../../../../test/support/captured-spans.js';
import type { AttributeValue } from './span.js';
import { adapterOf, namesOf } from './span-names.js';

const of = (attributes: Record<string, AttributeValue>): ReturnType<typeof namesOf> =>
  namesOf(new Map(Object.entries(attributes)));

describe('the names that a span gives', () => {
  it('Captured spans of three dialects name their agent, model, provider, session and tool', () => {
    const named = (file: string, name: RegExp): unknown =>
      namesOf(capturedSpans(file).find((span) => name.test(span.name))?.attributes ?? new Map());
    expect(named('aisdk.json', /^invoke_agent/)).toEqual({
      agent: 'weather-agent',
      model: 'gpt-mock',
      provider: 'openai',
    });
    expect(named('aisdk.json', /^execute_tool/)).toEqual({
      toolName: 'get_weather',
      providerCallId: 'call_1',
    });
    expect(named('aisdk-legacy.json', /^ai.toolCall/)).toEqual({
      agent: 'weather-agent',
      toolName: 'get_weather',
      providerCallId: 'call_1',
    });
    expect(named('oi-langgraph.json', /^get_weather/)).toEqual({
      session: 'thread-9',
      toolName: 'get_weather',
    });
  });

  it('The model that answered stands before the one that was asked for, and new names before old ones', () => {
    expect(of({ 'gen_ai.request.model': 'm', 'gen_ai.response.model': 'm-2026-01' }).model).toBe('m-2026-01');
    expect(of({ 'gen_ai.system': 'old', 'gen_ai.provider.name': 'new' }).provider).toBe('new');
  });

  it('OpenInference may tell only the model that was asked for, and Traceloop the thread of a graph', () => {
    expect(of({ 'llm.request.model_name': 'asked' })).toEqual({ model: 'asked' });
    expect(of({ 'llm.request.model_name': 'asked', 'llm.model_name': 'm' })).toEqual({ model: 'm' });
    expect(of({ 'traceloop.association.properties.thread_id': 't-1' })).toEqual({ session: 't-1' });
  });

  it('The AI SDK tells session and user in the metadata that its users set', () => {
    const said = { 'ai.telemetry.metadata.sessionId': 'thread-1', 'ai.telemetry.metadata.userId': 'user-1' };
    expect(namesOf(new Map(Object.entries(said)))).toEqual({ session: 'thread-1', user: 'user-1' });
  });

  it('An empty text, and what is no text, is no name', () => {
    expect(of({ 'gen_ai.agent.name': '', 'agent.name': 'planner', 'user.id': 7n })).toEqual({
      agent: 'planner',
    });
  });

  it('The adapter follows from the library that made the span', () => {
    const adapters = ['aisdk.json', 'aisdk-legacy.json', 'oi-langgraph.json'].map((file) => [
      ...new Set(capturedSpans(file).map(adapterOf)),
    ]);
    expect(adapters).toEqual([['ai-sdk'], ['ai-sdk'], ['langgraph']]);
    const by = (name: string): string =>
      adapterOf({ scope: { name, version: '', attributes: new Map<string, AttributeValue>() } });
    expect(by('opentelemetry.instrumentation.openai_agents')).toBe('openai-agents');
    expect(by('@mastra/otel-exporter')).toBe('mastra');
    expect(by('email-sender')).toBe('otel');
    expect(by('')).toBe('otel');
  });
});
