import { describe, expect, it } from '@jest/globals';
import { aSpan, capturedTraces } from '../../../../test/support/captured-spans.js';
import { derivedId } from '../derived-id.js';
import type { Item } from '../reported-items.js';
import { mapTrace } from './map-trace.js';
import type { AttributeValue, Span } from './span.js';

const START = 1_795_966_532_000_000_000n;
const started = (spans: Span[]): Extract<Item, { type: 'tool_call.started' }>[] =>
  mapTrace(spans).items.filter((item) => item.type === 'tool_call.started');
const completed = (spans: Span[]): Extract<Item, { type: 'tool_call.completed' }>[] =>
  mapTrace(spans).items.filter((item) => item.type === 'tool_call.completed');
const stepOf = (span: Span): string => derivedId(span.traceId, span.spanId);
const span = (
  digit: string,
  at: bigint,
  attributes: Record<string, AttributeValue>,
  more: Partial<Span> = {},
): Span => ({
  ...aSpan({
    spanId: digit.padStart(16, '0'),
    parentSpanId: '00000000000000a1',
    startedAt: START + at,
    attributes,
  }),
  ...more,
});
const asking = (digit: string, at: bigint, id: string, more: Partial<Span> = {}): Span =>
  span(
    digit,
    at,
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'w', arguments: { from: digit } }] },
      ]),
    },
    more,
  );
const tool = (
  digit: string,
  at: bigint,
  attributes: Record<string, AttributeValue> = {},
  more: Partial<Span> = {},
): Span => span(digit, at, { 'gen_ai.operation.name': 'execute_tool', ...attributes }, more);

describe('the tool calls of a trace', () => {
  it('Captured tool calls belong to the call of the model that asked for them, also where only their answer has the id', () => {
    const asked = (file: string): unknown[] => {
      const spans = capturedTraces(file)[0] as Span[];
      const names = new Map(spans.map((known) => [stepOf(known), known.name]));
      return started(spans).map((call) => [call.name, call.provider_call_id, names.get(call.step_id ?? '')]);
    };
    expect(asked('aisdk.json')).toEqual([['get_weather', 'call_1', 'chat gpt-mock']]);
    expect(asked('aisdk-legacy.json')).toEqual([['get_weather', 'call_1', 'ai.generateText.doGenerate']]);
    expect(asked('oi-langgraph.json')).toEqual([['get_weather', 'call_1', 'FakeBuiltModel']]);
  });

  it('When ids repeat it is the latest that asked before the tool began, and of the same agent first', () => {
    const [early, late, after] = [
      asking('2', 1n, 'call_1'),
      asking('3', 3n, 'call_1'),
      asking('4', 9n, 'call_1'),
    ];
    const call = tool('5', 5n, { 'gen_ai.tool.call.id': 'call_1' });
    expect(started([after, early, call, late])).toMatchObject([
      { step_id: stepOf(late), arguments: { text: '{"from":"3"}' } },
    ]);
    const agent = span('6', 0n, { 'gen_ai.operation.name': 'invoke_agent' });
    const own = { parentSpanId: agent.spanId };
    const ofAgent = asking('7', 1n, 'call_1', own);
    expect(started([agent, ofAgent, late, { ...call, ...own }])).toMatchObject([
      { step_id: stepOf(ofAgent) },
    ]);
  });

  it('One that nobody is known to have asked for belongs to the step it happened in, or to none', () => {
    const step = span('2', 0n, { 'gen_ai.operation.name': 'agent_step' });
    const call = tool('5', 5n, { 'gen_ai.tool.call.id': 'call_1' }, { parentSpanId: step.spanId });
    expect(started([call])[0]?.step_id).toBeUndefined();
    expect(started([call, step])[0]?.step_id).toBe(stepOf(step));
  });

  it('[F4] Arguments and results are the JSON that was sent, whichever convention tells them', () => {
    const json = '{"n":12345678901234567890,"__proto__":1}';
    for (const [args, result] of [
      ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
      ['ai.toolCall.args', 'ai.toolCall.result'],
      ['langfuse.observation.input', 'langfuse.observation.output'],
      ['traceloop.entity.input', 'traceloop.entity.output'],
      ['tool.parameters', 'output.value'],
    ]) {
      const spans = [tool('5', 0n, { [args as string]: json, [result as string]: json })];
      expect(started(spans)).toMatchObject([{ arguments: { text: json } }]);
      expect(completed(spans)).toMatchObject([{ status: 'succeeded', result: { text: json } }]);
    }
  });

  it('It failed by its status, by its exception, or by the word of its framework; one that waits has not happened', () => {
    const failed = { status: { code: 2, message: 'no' } };
    expect(completed([tool('5', 0n, {}, failed)])).toMatchObject([{ status: 'failed', error: 'no' }]);
    const attributes = new Map([
      ['exception.type', 'TimeoutError'],
      ['exception.message', 'too late'],
    ]);
    const events = [{ at: START, name: 'exception', attributes }];
    expect(completed([tool('5', 0n, {}, { events })])).toMatchObject([
      { status: 'failed', error: 'TimeoutError: too late', error_type: 'TimeoutError' },
    ]);
    expect(completed([tool('5', 0n, { 'gen_ai.tool.status': 'error' })])).toMatchObject([
      { status: 'failed' },
    ]);
    expect(
      completed([tool('5', 0n, { 'error.type': 'AbortError' }, { status: { code: 2, message: '' } })]),
    ).toMatchObject([{ status: 'cancelled', error: 'AbortError' }]);
    expect(completed([tool('5', 0n, {}, { endedAt: 0n })])).toEqual([]);
    expect(completed([tool('5', 0n, { 'pydantic_ai.tool.deferral.name': 'ApprovalRequired' })])).toEqual([]);
  });

  it('Names that are too long are cut, and stand whole beside it', () => {
    const name = 'é'.repeat(300);
    const [call] = started([tool('5', 0n, { 'gen_ai.tool.name': name })]);
    expect(call?.name).toBe(`${'é'.repeat(255)}…`);
    expect(call?.metadata?.parse()).toMatchObject({ whole: { name } });
  });
});
