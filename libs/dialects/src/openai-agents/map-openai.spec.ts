import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Item } from '../reported-items.js';
import { mapOpenai } from './map-openai.js';
import { decodeOpenaiTraces, type OpenaiRecord, packOpenai, runIdOfOpenai, unpackOpenai } from './record.js';

const TRACE = 'trace_6415a91f77464504ab21338c70f924bd';
const AT = '2026-11-29T15:35:13.545000Z';

const read = (text: string): OpenaiRecord[] => {
  const reading = decodeOpenaiTraces(text);
  if (!reading.ok || reading.refused.length > 0) throw new Error(JSON.stringify(reading));
  return reading.records;
};
const captured = (): OpenaiRecord[] =>
  read(
    readFileSync(new URL('../../../../test/fixtures/drop-in/openai-agents-js.json', import.meta.url), 'utf8'),
  );
const aSpan = (id: string, data: object, more: object = {}): object => ({
  object: 'trace.span',
  id,
  trace_id: TRACE,
  parent_id: null,
  started_at: AT,
  ended_at: AT,
  span_data: data,
  error: null,
  ...more,
});
const records = (...data: object[]): OpenaiRecord[] => read(JSON.stringify({ data }));
type Of<T extends Item['type']> = Extract<Item, { type: T }>;
const all = <T extends Item['type']>(items: Item[], type: T): Of<T>[] =>
  items.filter((item): item is Of<T> => item.type === type);
const usedIn = (items: Item[]): unknown =>
  all(items, 'step.finished')
    .filter(({ tokens_in }) => tokens_in !== undefined)
    .map(({ tokens_in, tokens_out }) => [tokens_in, tokens_out]);
const turn = (usage: object): object => ({
  type: 'custom',
  name: 'turn',
  data: { sdk_span_type: 'turn', usage },
});

describe('a trace of the OpenAI Agents SDK', () => {
  it('The captured agent is a run that has succeeded, with its tool call below the turn that made it', () => {
    const { items, runId, refused } = mapOpenai(captured());
    expect([runId, refused]).toEqual(['6415a91f-7746-4504-ab21-338c70f924bd', []]);
    expect(items[0]).toMatchObject({
      type: 'run.started',
      agent: { name: 'my-agent', adapter: 'openai-agents' },
      at: '2026-11-29T15:35:13.526000Z',
    });
    const calls = all(items, 'tool_call.started');
    expect(calls.map(({ name, arguments: given }) => [name, given?.text])).toEqual([['search', '{"q":"a"}']]);
    const above = all(items, 'step.started').find(({ id }) => id === calls[0]?.step_id);
    expect(above?.metadata?.text).toContain('"turn":1');
    expect(all(items, 'tool_call.completed')[0]?.result?.text).toContain('found');
    expect(items.at(-1)).toMatchObject({
      type: 'run.finished',
      status: 'succeeded',
      at: '2026-11-29T15:35:13.555000Z',
    });
  });

  it('Usage counts on turns when no model below them states it, and never on the task', () => {
    expect(usedIn(mapOpenai(captured()).items)).toEqual([
      [11, 7],
      [20, 5],
    ]);
    const usage = { input_tokens: 3, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } };
    const model = aSpan('g', { type: 'generation', model: 'gpt-5', usage }, { parent_id: 't' });
    const { items } = mapOpenai(records(aSpan('t', turn({ input_tokens: 9, output_tokens: 9 })), model));
    expect(usedIn(items)).toEqual([[3, 4]]);
    const step = all(items, 'step.finished').find(({ tokens_in }) => tokens_in === 3);
    expect(step?.token_details?.text).toBe('{"cache_read_tokens":2}');
    const silent = aSpan('g', { type: 'response', response_id: 'r' }, { parent_id: 't' });
    expect(usedIn(mapOpenai(records(aSpan('t', turn(usage)), silent)).items)).toEqual([[3, 4]]);
  });

  it('Each type of span is a step of its kind, functions apart', () => {
    const types = [
      'agent',
      'generation',
      'response',
      'handoff',
      'guardrail',
      'mcp_tools',
      'speech',
      'new',
      '__proto__',
    ];
    const { items } = mapOpenai(
      records(...types.map((type) => aSpan(type, { type, to_agent: 'b', server: 's' }))),
    );
    const kinds = all(items, 'step.started').map(({ external_id, kind, node }) => [external_id, kind, node]);
    expect(Object.fromEntries(kinds.map(([type, ...rest]) => [`${type}`, rest.join()]))).toMatchObject({
      agent: 'agent,agent',
      generation: 'llm,generation',
      response: 'llm,response',
      handoff: 'handoff,b',
      guardrail: 'guardrail,guardrail',
      mcp_tools: 'mcp_tools,s',
      speech: 'speech,speech',
      new: 'custom,new',
    });
    expect(kinds.length).toBe(types.length);
  });

  it('An error fails its span, and at the root or in an agent below it the run', () => {
    const error = { message: 'broke', data: { code: 5 } };
    const root = aSpan('r', { type: 'custom', data: { sdk_span_type: 'task' } });
    const outcome = (...spans: object[]): unknown =>
      all(mapOpenai(records(...spans)).items, 'run.finished')[0]?.status;
    expect(outcome(aSpan('r', { type: 'agent' }, { error }))).toBe('failed');
    expect(outcome(root, aSpan('a', { type: 'agent' }, { parent_id: 'r', error }))).toBe('failed');
    expect(outcome(root, aSpan('f', { type: 'function', name: 'f' }, { parent_id: 'r', error }))).toBe(
      'succeeded',
    );
    const { items } = mapOpenai(
      records(root, aSpan('f', { type: 'function', name: 'f' }, { parent_id: 'r', error })),
    );
    expect(all(items, 'tool_call.completed')[0]).toMatchObject({ status: 'failed', error: 'broke' });
    expect(all(items, 'tool_call.started')[0]?.metadata?.text).toBe('{"error_data":{"code":5}}');
  });

  it('A run goes on until each root that is known has ended', () => {
    const open = aSpan('b', { type: 'agent' }, { ended_at: null });
    expect(all(mapOpenai(records(aSpan('a', { type: 'agent' }), open)).items, 'run.finished')).toEqual([]);
    const child = aSpan('c', { type: 'agent' }, { parent_id: 'unknown' });
    expect(mapOpenai(records(child)).items.map(({ type, agent }) => [type, agent?.name])).toEqual([
      ['step.started', 'openai-agents'],
      ['step.finished', 'openai-agents'],
    ]);
  });

  it('A trace is announced with its first span, by its own name where somebody gave it one', () => {
    const trace = {
      object: 'trace',
      id: TRACE,
      workflow_name: 'mine',
      group_id: 'chat',
      metadata: { __proto__x: 1 },
    };
    expect(mapOpenai(records(trace)).items).toEqual([]);
    const [run] = mapOpenai(records(trace, aSpan('a', { type: 'agent', name: 'x' }))).items;
    expect(run).toMatchObject({ name: 'mine', agent: { name: 'mine' }, session_id: 'chat' });
  });

  it('Arguments that are no JSON, or none that can be kept, stay the text that they are', () => {
    const argumentsOf = (input: unknown): unknown => {
      const { items } = mapOpenai(records(aSpan('f', { type: 'function', name: 'f', input })));
      return all(items, 'tool_call.started')[0]?.arguments?.text;
    };
    expect(argumentsOf('{"n":12345678901234567890,"__proto__":1}')).toBe(
      '{"n":12345678901234567890,"__proto__":1}',
    );
    expect(argumentsOf('{"a"')).toBe('"{\\"a\\""');
    expect(argumentsOf('"\\u0000"')).toBe('"\\"\\\\u0000\\""');
    expect(argumentsOf({ a: 1 })).toBe('{"a":1}');
    expect(argumentsOf(null)).toBeUndefined();
  });

  it('A record that cannot be kept is refused by itself, and packed records stay as they are', () => {
    const good = JSON.stringify(aSpan('a', { type: 'agent' })).replace(
      'null',
      '{"n":1e2,"n":12345678901234567890}',
    );
    const reading = decodeOpenaiTraces(`{"data":[${good},7,{"object":"x"},{"object":"trace"},
      {"object":"trace.span","id":"s"},{"object":"trace","id":"d","id":"d"},
      {"object":"trace","id":"n","metadata":"\\u0000"}]}`);
    expect(reading).toMatchObject({ ok: true, records: [{ id: 'a' }] });
    const { records: kept, refused } = reading as Extract<typeof reading, { ok: true }>;
    expect(refused.map(({ id }) => id)).toEqual(['data[1]', 'data[2]', 'data[3]', 's', 'data[5]', 'n']);
    expect(unpackOpenai(packOpenai(kept))).toEqual(kept);
    expect(decodeOpenaiTraces('{"data":1}').ok).toBe(false);
  });

  it('A trace id that is no hex gives an id of its own', () => {
    const ids = ['trace_x', 'x', `trace_${'0'.repeat(32)}`, TRACE].map((traceId) =>
      runIdOfOpenai({ object: 'trace', id: traceId, traceId, members: new Map() }),
    );
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  });
});
