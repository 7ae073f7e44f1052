import { describe, expect, it } from '@jest/globals';
import { aSpan, capturedTraces } from '../../../../test/support/captured-spans.js';
import type { Item } from '../reported-items.js';
import { mapTrace } from './map-trace.js';
import { runIdOfTrace } from './run-of-trace.js';
import type { AttributeValue, Span } from './span.js';

const agent = (
  attributes: Record<string, AttributeValue> = {},
  more: Parameters<typeof aSpan>[0] = {},
): Span => aSpan({ ...more, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...attributes } });
const started = (...spans: Span[]): Extract<Item, { type: 'run.started' }> | undefined =>
  mapTrace(spans).items.find((item) => item.type === 'run.started');
const ended = (...spans: Span[]): Item | undefined =>
  mapTrace(spans).items.find((item) => item.type === 'run.finished' || item.type === 'run.moved');

describe('the run that a trace is', () => {
  it('It is the one that the span or its process names, else the trace itself', () => {
    const id = '0199C0DE-0000-7000-8000-000000000001';
    expect(runIdOfTrace(agent())).toBe('0af76519-16cd-43dd-8448-eb211c80319c');
    expect(runIdOfTrace(agent({ 'agentflow.run.id': id }))).toBe(id.toLowerCase());
    expect(runIdOfTrace(agent({}, { resource: { 'agentflow.run.id': id } }))).toBe(id.toLowerCase());
    expect(runIdOfTrace(agent({ 'agentflow.run.id': 'mine' }))).toBe('0af76519-16cd-43dd-8448-eb211c80319c');
    expect(mapTrace([agent({}, { resource: { 'agentflow.run.id': id } })]).runId).toBe(id.toLowerCase());
  });

  it('Its agent is the first that names itself, else the root, and names that nobody could read are passed over', () => {
    const name = (...spans: Span[]): string | undefined => started(...spans)?.agent?.name;
    expect(name(agent({ 'gen_ai.agent.name': 'planner' }))).toBe('planner');
    expect(name(agent({}, { name: 'invoke_agent m2' }))).toBe('m2');
    expect(name(agent({ 'gen_ai.agent.name': 'a\u200bb' }, { name: 'root' }))).toBe('root');
    expect(name(agent({}, { name: '', resource: { 'service.name': 'shop' } }))).toBe('shop');
    expect(name(agent({}, { name: '' }))).toBe('otel');
    const below = aSpan({ spanId: '00000000000000a2', parentSpanId: '00000000000000a1', name: 'GET /' });
    const inner = {
      ...agent({ 'gen_ai.agent.name': 'inner' }),
      spanId: '00000000000000a3',
      parentSpanId: below.spanId,
    };
    expect(mapTrace([inner]).items[0]?.agent?.name).toBe('inner');
  });

  it('It ends as its root does, as somebody says, or waits for a person where that is said', () => {
    const status = { code: 2, message: 'boom' };
    expect(ended(agent())).toMatchObject({ status: 'succeeded' });
    expect(ended(agent({}, { status }))).toMatchObject({ status: 'failed', error: 'boom' });
    expect(ended(agent({ 'error.type': 'asyncio.CancelledError' }, { status }))).toMatchObject({
      status: 'cancelled',
    });
    expect(ended(agent({ 'agentflow.run.status': 'cancelled' }))).toMatchObject({ status: 'cancelled' });
    expect(ended(agent({ 'agentflow.run.status': 'waiting_human' }))).toMatchObject({
      type: 'run.moved',
      status: 'waiting_human',
    });
    expect(ended(agent({}, { endedAt: 0n }))).toBeUndefined();
    const deferred = aSpan({
      spanId: '00000000000000a2',
      parentSpanId: '00000000000000a1',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'pydantic_ai.tool.deferral.name': 'ApprovalRequired',
      },
    });
    expect(ended(agent(), deferred)).toMatchObject({ type: 'run.moved', status: 'waiting_human' });
  });

  it('Calls that the last model asked for and nobody answered are noted, and the run has succeeded', () => {
    const spans = capturedTraces('aisdk.json')[1] as Span[];
    expect(started(...spans)?.metadata?.parse()).toMatchObject({
      pending_tool_calls: [{ id: 'call_pay', name: 'pay', arguments: { amount: 5 } }],
    });
    expect(ended(...spans)).toMatchObject({ status: 'succeeded' });
    expect(started(...(capturedTraces('aisdk.json')[0] as Span[]))?.metadata?.parse()).not.toHaveProperty(
      'pending_tool_calls',
    );
  });

  it('Its session, tags, project and user are what any of its spans say', () => {
    const spans = capturedTraces('oi-langgraph.json')[0] as Span[];
    expect(started(...spans)).toMatchObject({
      session_id: 'thread-9',
      agent: { name: 'weather-graph', adapter: 'langgraph' },
    });
    const run = agent(
      { 'langfuse.trace.tags': ['a', 'b', 'a'], 'user.id': 'u1' },
      { resource: { 'agentflow.project': 'shop' } },
    );
    expect(started(run)).toMatchObject({ tags: ['a', 'b'] });
    expect(started(run)?.metadata?.parse()).toMatchObject({
      user_id: 'u1',
      root_span_id: '00000000000000a1',
    });
    expect(mapTrace([run]).projectName).toBe('shop');
  });

  it('[V9] [O9] [F11] What nobody asked for is kept by its name, hostile names with it, and what does not fit is counted', () => {
    const attributes = { ['__proto__']: 'x', 'constructor.prototype.x': 1n, 'a.b': 2n, a: 3n, '': 4n };
    const kept = started(agent(attributes))?.metadata?.text;
    for (const text of ['"__proto__":"x"', '"constructor.prototype.x":1', '"a.b":2', '"a":3', '"":4']) {
      expect(kept).toContain(text);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
    const large = started(agent({ big: 'x'.repeat(300_000), small: 'y' }))?.metadata;
    expect(large?.parse()).toMatchObject({ attributes: { small: 'y' }, attributes_dropped: 1 });
    expect(large?.text.length).toBeLessThan(256 * 1024);
    const users = started(agent({ 'user.id': 'u'.repeat(300_000) }))?.metadata;
    expect(users?.parse()).toMatchObject({ dropped: ['user_id'], root_span_id: '00000000000000a1' });
  });

  it('Evaluations of a log stand with the span that they are of; records of unknown spans wait', () => {
    const evaluation = (spanId: string): Parameters<typeof mapTrace>[1] => [
      {
        traceId: agent().traceId,
        spanId,
        eventName: 'gen_ai.evaluation.result',
        at: 1n,
        body: null,
        resource: agent().resource,
        attributes: new Map<string, AttributeValue>([
          ['gen_ai.evaluation.name', 'relevance'],
          ['gen_ai.evaluation.score.value', 0.5],
        ]),
      },
    ];
    const [item] = mapTrace([agent()], evaluation('00000000000000a1')).items;
    expect(item).toMatchObject({
      metadata: {
        text: expect.stringContaining(
          '"evaluations":[{"gen_ai.evaluation.name":"relevance","gen_ai.evaluation.score.value":0.5}]',
        ),
      },
    });
    expect(mapTrace([agent()], evaluation('00000000000000ff')).items).toEqual(mapTrace([agent()]).items);
  });
});
