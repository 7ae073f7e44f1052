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

  it('Without an id it is the only call of its name that was asked for before and that nothing else answers', () => {
    const named = (digit: string, at: bigint, more: Record<string, AttributeValue> = {}): Span =>
      tool(digit, at, { 'gen_ai.tool.name': 'w', ...more });
    const first = asking('2', 1n, 'call_1');
    const second = asking('3', 5n, 'call_2');
    const idsOf = (spans: Span[]): unknown[] =>
      started(spans).map(({ provider_call_id, step_id }) => [provider_call_id, step_id]);
    expect(idsOf([first, named('4', 2n), second, named('5', 6n)])).toEqual([
      ['call_1', stepOf(first)],
      ['call_2', stepOf(second)],
    ]);
    expect(
      idsOf([first, second, named('4', 6n, { 'gen_ai.tool.call.id': 'call_1' }), named('5', 7n)]),
    ).toEqual([
      ['call_1', stepOf(first)],
      ['call_2', stepOf(second)],
    ]);
    expect(idsOf([first, second, named('4', 6n)])).toEqual([[undefined, undefined]]);
    expect(idsOf([second, named('4', 2n)])).toEqual([[undefined, undefined]]);
  });

  it('Its id is found in an answer of LangChain, in JavaScript and in Python', () => {
    for (const answer of [{ kwargs: { tool_call_id: 'call_9' } }, { data: { tool_call_id: 'call_9' } }]) {
      const spans = [tool('5', 0n, { 'output.value': JSON.stringify(answer) })];
      expect(started(spans)).toMatchObject([{ provider_call_id: 'call_9' }]);
    }
  });

  it('What the model asked for is told where the span leaves the names of the arguments out', () => {
    const id = { 'gen_ai.tool.call.id': 'call_1' };
    const asked = { arguments: { text: '{"from":"2"}' } };
    const told = (value: string): unknown =>
      started([asking('2', 1n, 'call_1'), tool('5', 2n, { ...id, 'input.value': value })])[0];
    expect(told('Oslo')).toMatchObject(asked);
    expect(told('{"from":"3"}')).toMatchObject({ arguments: { text: '{"from":"3"}' } });
  });

  it('The parameters that a tool has are no arguments of its call', () => {
    const schema = '{"type":"object","properties":{"query":{"type":"string"}}}';
    const spans = [tool('5', 0n, { 'tool.parameters': schema, 'input.value': '{"query":"cheese"}' })];
    expect(started(spans)).toMatchObject([{ arguments: { text: '{"query":"cheese"}' } }]);
  });

  it('The error is what went wrong, and the stack behind it stands in the metadata', () => {
    const failing = (message: string): Span => tool('5', 0n, {}, { status: { code: 2, message } });
    for (const [message, line, stack] of [
      [
        'the tool broke\n\nError: the tool broke\n    at tool (x.mjs:1:2)',
        'the tool broke',
        /^Error: .*\n +at /,
      ],
      ["ValueError('no')Traceback (most recent call last):\n File", "ValueError('no')", /^Traceback/],
    ] as const) {
      expect(completed([failing(message)])).toMatchObject([{ status: 'failed', error: line }]);
      const metadata = started([failing(message)])[0]?.metadata?.parse();
      expect(metadata).toMatchObject({ stack: expect.stringMatching(stack) });
    }
    const lines = '2 validation errors\n- no name\n- no place';
    expect(completed([failing(lines)])).toMatchObject([{ error: lines }]);
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
