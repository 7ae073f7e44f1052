import { encodeJson } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aSpan, capturedTraces, langfuseSpans } from '../../../../test/support/captured-spans.js';
import type { Item } from '../reported-items.js';
import type { LogRecord } from './log-record.js';
import { mapTrace } from './map-trace.js';
import type { AttributeValue, Span } from './span.js';

type Message = Extract<Item, { type: 'message' }>;
const START = 1_795_966_532_000_000_000n;
const messages = (spans: Span[]): Message[] =>
  mapTrace(spans).items.filter((item): item is Message => item.type === 'message');
const told = (spans: Span[]): unknown[] =>
  messages(spans).map(({ role, content, tool_call_id, extra }) => {
    const more = extra?.parse() as { tool_calls?: { id: string }[] } | undefined;
    const calls = more?.tool_calls?.map(({ id }) => id);
    return [role, content ?? null, ...(tool_call_id === undefined ? [] : [tool_call_id]), ...(calls ?? [])];
  });
/** Calls of a model, one after the other. */
const calls = (...attributes: Record<string, AttributeValue>[]): Span[] =>
  attributes.map((said, i) =>
    aSpan({
      spanId: `00000000000000b${i}`,
      parentSpanId: '00000000000000a1',
      startedAt: START + BigInt(i),
      attributes: { 'gen_ai.operation.name': 'chat', ...said },
    }),
  );
const json = JSON.stringify;

describe('the messages of a trace', () => {
  it('Captured traces of four dialects tell each message once, in the order in which it was said', () => {
    const weather = [
      ['system', 'be brief'],
      ['user', 'weather in Oslo?'],
      ['assistant', null, 'call_1'],
      ['tool', '{"sky":"sunny","city":"Oslo"}', 'call_1'],
      ['assistant', 'It is sunny'],
    ];
    expect(told(capturedTraces('aisdk.json')[0] as Span[])).toEqual(weather);
    expect(told(capturedTraces('aisdk-legacy.json')[0] as Span[])).toEqual(weather);
    expect(told(capturedTraces('oi-langgraph.json')[0] as Span[])).toEqual([
      ['user', 'weather in Oslo?'],
      ['assistant', 'weather in Oslo?'],
      ['tool', 'Sunny in Oslo'],
      ['assistant', 'It is sunny.'],
    ]);
    for (const file of ['langfuse-js.otlp.json', 'langfuse-py.otlp.pb']) {
      expect(told(langfuseSpans(file))).toEqual([
        ['user', 'hi'],
        ['assistant', 'ok'],
      ]);
    }
  });

  it('A history that the next call repeats is known, and an "ok" that is said again is another message', () => {
    const said = (...texts: string[]): string =>
      json(
        texts.map((content, i) => ({
          role: i % 2 === 0 ? 'user' : 'assistant',
          parts: [{ type: 'text', content }],
        })),
      );
    const spans = calls(
      {
        'gen_ai.input.messages': said('go'),
        'gen_ai.output.messages': json([
          {
            role: 'assistant',
            finish_reason: 'stop',
            parts: [
              { type: 'reasoning', content: 'hm' },
              { type: 'text', content: 'ok' },
            ],
          },
        ]),
      },
      {
        'gen_ai.input.messages': said('go', 'ok', 'go'),
        'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'ok' }] }]),
      },
    );
    expect(told(spans)).toEqual([
      ['user', 'go'],
      ['assistant', 'ok'],
      ['user', 'go'],
      ['assistant', 'ok'],
    ]);
    expect(messages(spans)[1]).toMatchObject({
      extra: { text: '{"finish_reason":"stop","reasoning":"hm"}' },
    });
  });

  const HISTORY = [
    ['user', 'hi'],
    ['assistant', null, 'c1'],
    ['tool', 'sunny', 'c1'],
    ['assistant', 'It is.'],
  ];
  const openai = [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{"a": 1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
  ];
  const lc = (name: string, kwargs: object): object => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', name],
    kwargs,
  });

  it.each<[string, Record<string, AttributeValue>]>([
    [
      'GenAI',
      {
        'gen_ai.input.messages': json([
          { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'w', arguments: { a: 1 } }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'sunny' }] },
        ]),
        'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'It is.' }] }]),
      },
    ],
    [
      'Pydantic AI, whose tools answer as the user',
      {
        'gen_ai.input.messages': json([
          { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'w', arguments: '{"a":1}' }] },
          { role: 'user', parts: [{ type: 'tool_call_response', id: 'c1', name: 'w', result: 'sunny' }] },
        ]),
        'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'It is.' }] }]),
      },
    ],
    [
      'OpenInference',
      {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.contents.0.message_content.text': 'hi',
        'llm.input_messages.1.message.role': 'assistant',
        'llm.input_messages.1.message.tool_calls.0.tool_call.id': 'c1',
        'llm.input_messages.1.message.tool_calls.0.tool_call.function.name': 'w',
        'llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments': '{"a":1}',
        'llm.input_messages.2.message.role': 'tool',
        'llm.input_messages.2.message.content': 'sunny',
        'llm.input_messages.2.message.tool_call_id': 'c1',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'It is.',
      },
    ],
    [
      'Traceloop',
      {
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': 'hi',
        'gen_ai.prompt.1.role': 'assistant',
        'gen_ai.prompt.1.tool_calls.0.id': 'c1',
        'gen_ai.prompt.1.tool_calls.0.name': 'w',
        'gen_ai.prompt.1.tool_calls.0.arguments': '{"a":1}',
        'gen_ai.prompt.2.role': 'tool',
        'gen_ai.prompt.2.content': 'sunny',
        'gen_ai.prompt.2.tool_call_id': 'c1',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'It is.',
      },
    ],
    [
      'a request and an answer of a provider',
      {
        'input.value': json({ model: 'm', messages: openai }),
        'output.value': json({
          choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'It is.' } }],
        }),
      },
    ],
    [
      'LangChain',
      {
        'input.value': json({
          messages: [
            [
              lc('HumanMessage', { content: 'hi' }),
              lc('AIMessage', { content: '', tool_calls: [{ id: 'c1', name: 'w', args: { a: 1 } }] }),
              lc('ToolMessage', { content: 'sunny', tool_call_id: 'c1' }),
            ],
          ],
        }),
        'output.value': json({
          generations: [[{ text: 'It is.', message: lc('AIMessage', { content: 'It is.' }) }]],
        }),
      },
    ],
    [
      'Langfuse',
      { 'langfuse.observation.input': json({ messages: openai }), 'langfuse.observation.output': 'It is.' },
    ],
    [
      'the AI SDK',
      {
        'ai.prompt.messages': json([
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'w', input: { a: 1 } }],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'c1',
                toolName: 'w',
                output: { type: 'text', value: 'sunny' },
              },
            ],
          },
        ]),
        'ai.response.text': 'It is.',
      },
    ],
  ])('A conversation is the same in every dialect: %s', (_dialect, attributes) => {
    expect(told(calls(attributes))).toEqual(HISTORY);
  });

  it('Messages in events, of the span or of the log, are read where the attributes have none', () => {
    const event = (name: string, attributes: Record<string, AttributeValue>): Span['events'][number] => ({
      at: START,
      name,
      attributes: new Map(Object.entries(attributes)),
    });
    const [span] = calls({}) as [Span];
    const events = [
      event('gen_ai.user.message', { content: 'hi' }),
      event('gen_ai.assistant.message', {
        tool_calls: json([{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{"a":1}' } }]),
      }),
      event('gen_ai.tool.message', { content: 'sunny', id: 'c1' }),
      event('gen_ai.choice', {
        index: 0n,
        finish_reason: 'stop',
        message: json({ role: 'assistant', content: 'It is.' }),
      }),
    ];
    expect(told([{ ...span, events }])).toEqual(HISTORY);
    const logs = events.map(({ name, at, attributes }) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      eventName: name,
      at,
      body: attributes,
      attributes: new Map<string, AttributeValue>(),
      resource: span.resource,
    }));
    const items = mapTrace([span], [...logs, ...logs]).items.filter(({ type }) => type === 'message');
    expect(items).toHaveLength(4);
  });

  it('[O4] In whatever order logs come, of one moment what a model was told first stands first and its answer last', () => {
    const [span] = calls({}) as [Span];
    const log = (name: string, at: bigint, content: string): LogRecord => ({
      ...{ traceId: span.traceId, spanId: span.spanId, resource: span.resource, attributes: new Map() },
      ...{ eventName: `gen_ai.${name}`, at, body: new Map([['content', content]]) },
    });
    const logs = [
      log('system.message', START, 'be brief'),
      log('user.message', START, 'hi'),
      log('assistant.message', START + 1n, 'hi!'),
      log('tool.message', START + 2n, 'sunny'),
      log('choice', START + 2n, 'It is.'),
    ];
    const itemsOf = (some: LogRecord[]): string[] =>
      mapTrace([span], some).items.map((item) => encodeJson(item));
    fc.assert(
      fc.property(fc.shuffledSubarray(logs, { minLength: logs.length }), (shuffled) => {
        expect(itemsOf(shuffled)).toEqual(itemsOf(logs));
      }),
    );
    // Those in between stand as they were told.
    const atOnce = logs.map((record) => ({ ...record, at: START }));
    expect(itemsOf([3, 0, 1, 4, 2].map((i) => atOnce[i] as LogRecord))).toEqual(
      itemsOf([0, 3, 1, 2, 4].map((i) => atOnce[i] as LogRecord)),
    );
  });

  it('Calls that a model asked for at once are one message, also where the next request repeats each by itself', () => {
    const asked = (at: string, id: string): Record<string, string> => ({
      [`${at}.tool_call.id`]: id,
      [`${at}.tool_call.function.name`]: 'w',
    });
    const [first, second] = [
      {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'hi',
        'llm.output_messages.0.message.role': 'assistant',
        ...asked('llm.output_messages.0.message.tool_calls.0', 'c1'),
        ...asked('llm.output_messages.0.message.tool_calls.1', 'c2'),
      },
      {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'hi',
        'llm.input_messages.1.message.role': 'assistant',
        ...asked('llm.input_messages.1.message.tool_calls.0', 'c1'),
        'llm.input_messages.2.message.role': 'assistant',
        ...asked('llm.input_messages.2.message.tool_calls.0', 'c2'),
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'ok',
        'llm.output_messages.0.message.contents.0.message_content.text': 'ok',
      },
    ];
    expect(told(calls({ 'openinference.span.kind': 'LLM', ...first }, { ...second }))).toEqual([
      ['user', 'hi'],
      ['assistant', null, 'c1', 'c2'],
      ['assistant', 'ok'],
    ]);
  });

  it('Why a model stopped is told by the first of its reasons, also where the list of them is JSON text', () => {
    const output = { 'gen_ai.output.messages': json([{ role: 'assistant', content: 'It is.' }]) };
    for (const reasons of [['stop'], '["stop"]', 'stop']) {
      const spans = calls({ ...output, 'gen_ai.response.finish_reasons': reasons });
      expect(messages(spans)).toMatchObject([{ extra: { text: '{"finish_reason":"stop"}' } }]);
    }
  });

  it('Roles are ours, and one that nobody knows is kept beside the message', () => {
    const roles = ['human', 'ai', 'model', 'developer', 'function', 'Critic'];
    const spans = calls({ 'gen_ai.input.messages': json(roles.map((role) => ({ role, content: role }))) });
    expect(messages(spans).map(({ role, extra }) => [role, extra?.text])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['assistant', undefined],
      ['developer', undefined],
      ['tool', undefined],
      ['user', '{"role":"Critic"}'],
    ]);
  });

  it('[F4] Arguments keep their digits, and what is no text is kept as it was sent', () => {
    const image = '{"type":"blob","mime_type":"image/png","content":"AAAA"}';
    const text = `[{"role":"user","parts":[{"type":"text","content":"see"},${image}]},{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"w","arguments":{"n":12345678901234567890}}]}]`;
    expect(messages(calls({ 'gen_ai.input.messages': text })).map(({ extra }) => extra?.text)).toEqual([
      `{"parts":[${image}]}`,
      '{"tool_calls":[{"id":"c","name":"w","arguments":{"n":12345678901234567890}}]}',
    ]);
  });

  it('An agent speaks only where nothing is known of what its models said', () => {
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'in sum' }] }]),
    };
    const alone = aSpan({ attributes });
    expect(told([alone])).toEqual([
      ['user', 'hi'],
      ['assistant', 'in sum'],
    ]);
    const [model] = calls({ 'gen_ai.input.messages': json([{ role: 'user', content: 'hi' }]) }) as [Span];
    expect(told([alone, model])).toEqual([['user', 'hi']]);
    expect(told([aSpan({ attributes, scope: 'gen_ai' })])).toEqual([]);
  });

  it('Mastra tells what went in at the step around the call; until that is known the call says nothing', () => {
    const scope = '@mastra/otel-exporter';
    const step = aSpan({
      scope,
      name: 'agent_step',
      attributes: {
        'gen_ai.operation.name': 'agent_step',
        'mastra.model_step.input': json([{ role: 'user', content: 'hi' }]),
      },
    });
    const output = json([{ role: 'assistant', parts: [{ type: 'text', content: 'It is.' }] }]);
    const [model] = calls({ 'gen_ai.output.messages': output }) as [Span];
    const chat = { ...model, scope: step.scope };
    const chunk = { ...chat, spanId: '00000000000000c1', name: 'model_chunk', parentSpanId: chat.spanId };
    expect(told([chat])).toEqual([]);
    expect(told([chat, chunk, step])).toEqual([
      ['user', 'hi'],
      ['assistant', 'It is.'],
    ]);
    expect(mapTrace([chat, chunk]).items.filter(({ type }) => type === 'step.started')).toHaveLength(1);
  });
});
