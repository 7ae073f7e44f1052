import type { RawJson } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import { aSpan, capturedTraces } from '../../../../test/support/captured-spans.js';
import type { Item, MappedRun } from '../reported-items.js';
import { mapTrace } from './map-trace.js';
import type { AttributeValue, Span } from './span.js';

const SECOND = 1_000_000_000n;
const START = 1_795_966_532n * SECOND;
const id = (digit: string): string => digit.padStart(16, '0');
/** A span by a digit, its parent's, what it is, and the second in which it began. */
const span = (
  [self, parent]: string,
  operation: string | undefined,
  at: bigint,
  more: Partial<Parameters<typeof aSpan>[0]> & { attributes?: Record<string, AttributeValue> } = {},
): Span =>
  aSpan({
    spanId: id(self as string),
    parentSpanId: parent === undefined ? undefined : id(parent),
    name: `span ${self}`,
    startedAt: START + at * SECOND,
    endedAt: START + (at + 1n) * SECOND,
    ...more,
    attributes: {
      ...(operation === undefined ? {} : { 'gen_ai.operation.name': operation }),
      ...more.attributes,
    },
  });
const steps = ({ items }: MappedRun): Extract<Item, { type: 'step.started' }>[] =>
  items.filter((item) => item.type === 'step.started');
/** Each step with the one above it, by the digits of their spans. */
const tree = (run: MappedRun): Record<string, string | undefined> => {
  const digits = new Map(steps(run).map((step) => [step.id, step.external_id?.slice(-1)]));
  return Object.fromEntries(
    steps(run).map((step) => [
      step.external_id?.slice(-1),
      step.parent_step_id === undefined ? undefined : digits.get(step.parent_step_id),
    ]),
  );
};

describe('the place of a span in its trace', () => {
  it('The agent at the root is the run, tool spans are no steps, and what is below them belongs to the step above', () => {
    const run = mapTrace([
      span('1', 'invoke_agent', 0n),
      span('21', 'agent_step', 1n),
      span('32', 'chat', 2n),
      span('42', 'execute_tool', 3n),
      span('54', 'invoke_agent', 4n),
      span('65', 'chat', 5n),
    ]);
    expect(tree(run)).toEqual({ 2: undefined, 3: '2', 5: '2', 6: '5' });
  });

  it('A root that is itself the call of a model, or of a tool, is the run and that call', () => {
    const usage = { 'gen_ai.usage.input_tokens': 5n, 'gen_ai.usage.output_tokens': 2n };
    const bare = mapTrace([span('1', 'chat', 0n, { attributes: usage })]);
    expect(bare.items.map(({ type }) => type)).toEqual([
      'run.started',
      'run.finished',
      'step.started',
      'step.finished',
    ]);
    expect(bare.items[3]).toMatchObject({ tokens_in: 5, tokens_out: 2 });
    expect(mapTrace([span('1', 'execute_tool', 0n)]).items.map(({ type }) => type)).toEqual([
      'run.started',
      'run.finished',
      'tool_call.started',
      'tool_call.completed',
    ]);
  });

  it("Spans of HTTP and SQL are left out and counted, and their children belong to what is above; LangChain's helpers fold", () => {
    const http = { attributes: { 'http.request.method': 'POST' } };
    const run = mapTrace([
      span('1', undefined, 0n, http),
      span('21', 'invoke_agent', 1n),
      span('32', undefined, 2n, http),
      span('43', 'chat', 3n),
      span('52', undefined, 4n, {
        name: 'RunnableSequence',
        attributes: { 'openinference.span.kind': 'CHAIN' },
      }),
      span('65', 'chat', 5n),
    ]);
    expect(tree(run)).toEqual({ 2: undefined, 4: '2', 6: '2' });
    expect(run.dropped).toBe(1);
  });

  it('What a client of MCP asks of a server has to do with the agent', () => {
    const asks = span('21', undefined, 1n, { attributes: { 'mcp.method.name': 'tools/list' } });
    const run = mapTrace([span('1', 'invoke_agent', 0n), asks]);
    expect(tree(run)).toEqual({ 2: undefined });
    expect(run.dropped).toBe(0);
  });

  it('Of a trace that has nothing to do with agents the root is a run, without steps: the agent may still come', () => {
    const spans = [span('21', undefined, 1n), span('32', undefined, 2n)];
    expect(mapTrace(spans)).toMatchObject({ items: [], dropped: 2 });
    const run = mapTrace([...spans, span('1', undefined, 0n)]);
    expect(run.items.map(({ type }) => type)).toEqual(['run.started', 'run.finished']);
    expect(run.dropped).toBe(2);
  });

  it('[O5] A step whose parent is not known has none until it arrives', () => {
    const [agent, step, chat] = [
      span('1', 'invoke_agent', 0n),
      span('21', 'agent_step', 1n),
      span('32', 'chat', 2n),
    ];
    expect(tree(mapTrace([chat]))).toEqual({ 3: undefined });
    expect(tree(mapTrace([chat, agent]))).toEqual({ 3: undefined });
    expect(tree(mapTrace([chat, agent, step]))).toEqual({ 2: undefined, 3: '2' });
  });

  it('Of several roots the first is the run and the others are steps of it', () => {
    const run = mapTrace([
      span('2', 'invoke_agent', 5n),
      span('1', 'invoke_agent', 0n),
      span('32', 'chat', 6n),
    ]);
    expect(tree(run)).toEqual({ 2: undefined, 3: '2' });
    expect(run.items.filter(({ type }) => type === 'run.started')).toMatchObject([{ name: 'span 1' }]);
  });

  it('Steps stand in the order of their starts, parents before children where clocks tie', () => {
    const run = mapTrace([
      span('32', 'chat', 1n),
      span('43', 'chat', 1n),
      span('21', 'agent_step', 1n),
      span('1', 'invoke_agent', 1n),
    ]);
    expect(steps(run).map(({ external_id }) => external_id?.slice(-1))).toEqual(['2', '3', '4']);
  });

  it('[O4] Of a span that came twice the later counts', () => {
    const running = span('1', 'chat', 0n, { endedAt: 0n });
    const ended = span('1', 'chat', 0n);
    expect(mapTrace([running]).items.map(({ type }) => type)).toEqual(['run.started', 'step.started']);
    expect(mapTrace([running, ended]).items).toEqual(mapTrace([ended]).items);
  });

  it('[O9] [O10] Parents in a circle, and chains of thousands, are mapped', () => {
    const circle = mapTrace([span('12', 'chat', 0n), span('21', 'chat', 1n), span('33', 'chat', 2n)]);
    expect(steps(circle)).toHaveLength(3);
    const chain = Array.from({ length: 5_000 }, (_, i) =>
      aSpan({
        spanId: (i + 1).toString(16).padStart(16, '0'),
        parentSpanId: i === 0 ? undefined : i.toString(16).padStart(16, '0'),
        attributes: { 'gen_ai.operation.name': i % 2 === 0 ? 'execute_tool' : 'agent_step' },
      }),
    );
    expect(steps(mapTrace([...chain].reverse()))).toHaveLength(2_500);
  });

  it('[F2] [F8] A span that cannot be kept is refused by its id, and all others are kept', () => {
    const run = mapTrace([
      span('1', 'invoke_agent', 0n),
      span('21', 'chat', 1n, { attributes: { 'input.value': '{"a":"\\u0000"}' } }),
      span('32', 'chat', 2n, { attributes: { __proto__x: 'half \ud800' } }),
      span('42', 'chat', 3n),
    ]);
    expect(run.refused.map((refusal) => refusal.id)).toEqual([id('2'), id('3')]);
    expect(tree(run)).toEqual({ 4: undefined });
  });

  it.each<[string, Record<string, AttributeValue>]>([
    [
      'a message that cannot be stored',
      { 'pydantic_ai.all_messages': '[{"role":"user","content":"\\u0000"}]' },
    ],
    [
      'more messages than a call can have',
      { 'gen_ai.input.messages': JSON.stringify(Array(5_001).fill({ role: 'user', content: 'hi' })) },
    ],
    ['a message that is too long', { 'gen_ai.system_instructions': 'x'.repeat(4 * 1024 * 1024 + 1) }],
  ])(
    '[O5] With %s a root and an agent are kept without their messages, and a model is not',
    (_what, said) => {
      const attributes = { ...said, 'gen_ai.output.messages': '[{"role":"assistant","content":"done"}]' };
      for (const operation of ['invoke_agent', 'chat']) {
        const { items, refused } = mapTrace([
          span('1', operation, 0n, { attributes }),
          span('21', 'invoke_agent', 1n, { attributes }),
          span('32', 'chat', 2n, { attributes }),
        ]);
        expect(refused.map((refusal) => refusal.id)).toEqual([id('3')]);
        expect(items.filter(({ type }) => type === 'message')).toEqual([]);
        expect(items.find(({ type }) => type === 'run.finished')).toMatchObject({ status: 'succeeded' });
        const of = (type: string, node: string | undefined): Item | undefined =>
          items.find((item) => item.type === type && (item as { node?: string }).node === node);
        const isMuted = { metadata: { text: expect.stringContaining('"messages_dropped":true') } };
        expect(of('step.started', 'span 2')).toMatchObject(isMuted);
        expect(
          operation === 'chat' ? of('step.started', 'span 1') : of('run.started', undefined),
        ).toMatchObject(isMuted);
      }
    },
  );

  it('[F2] [O5] What went into a root or an agent, and came out of it, does not keep it away when it cannot be kept', () => {
    const attributes = {
      'gen_ai.input.messages': '[{"role":"user","content":"\\u0000"}]',
      'gen_ai.output.messages': '[{"role":"assistant","content":"\\ud800"}]',
    };
    const { items, refused } = mapTrace([
      span('1', 'invoke_agent', 0n, { attributes }),
      span('21', 'invoke_agent', 1n, { attributes }),
      span('32', 'chat', 2n, { attributes }),
    ]);
    expect(refused.map((refusal) => refusal.id)).toEqual([id('3')]);
    const finished = items.filter(({ type }) => type.endsWith('.finished'));
    expect(finished).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
    expect(finished.filter((item) => 'output' in item && item.output !== undefined)).toEqual([]);
    for (const type of ['run.started', 'step.started']) {
      const item = items.find((one) => one.type === type) as { input?: unknown; metadata?: RawJson };
      expect(item.input).toBeUndefined();
      expect(item.metadata?.parse()).toMatchObject({
        ...{ input_dropped: true, output_dropped: true, messages_dropped: true },
        attributes,
      });
    }
  });

  it('[O11] Clocks that are wrong give valid moments and a flag: no start, an end before the start, the ends of time', () => {
    const of = (startedAt: bigint, endedAt: bigint): Item[] =>
      mapTrace([span('1', 'invoke_agent', 0n), span('21', 'chat', 0n, { startedAt, endedAt })]).items.filter(
        (item) => item.type.startsWith('step.'),
      );
    expect(of(0n, START)).toMatchObject([
      {
        at: '2026-11-29T15:35:32.000000Z',
        metadata: { text: expect.stringContaining('"clock":"no_start"') },
      },
      { at: '2026-11-29T15:35:32.000000Z' },
    ]);
    expect(of(START + SECOND, START)).toMatchObject([
      { metadata: { text: expect.stringContaining('"clock":"end_before_start"') } },
      { at: '2026-11-29T15:35:32.000000Z' },
    ]);
    expect(of(1n, 2n ** 64n - 1n)).toMatchObject([
      { at: '1970-01-01T00:00:00.000000Z' },
      { at: '2554-07-21T23:34:33.709551Z' },
    ]);
    expect(of(0n, 0n)).toMatchObject([{ at: '2026-11-29T15:35:32.000000Z' }]);
  });

  it("A captured graph has its nodes as steps and the calls of models below them; a helper's span is none", () => {
    const run = mapTrace(capturedTraces('oi-langgraph.json')[0] as Span[]);
    expect(
      steps(run).map(({ node, kind, parent_step_id }) => [node, kind, parent_step_id !== undefined]),
    ).toEqual([
      ['__start__', 'chain', false],
      ['agent', 'chain', false],
      ['agent', 'llm', true],
      ['tools', 'chain', false],
      ['agent', 'chain', false],
      ['agent', 'llm', true],
    ]);
  });
});
