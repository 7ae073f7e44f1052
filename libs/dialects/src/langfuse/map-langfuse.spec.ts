import { describe, expect, it } from '@jest/globals';
import type { Item } from '../reported-items.js';
import { mapLangfuse } from './map-langfuse.js';
import {
  decodeLangfuseBatch,
  type LangfuseRecord,
  packLangfuse,
  runIdOfLangfuse,
  unpackLangfuse,
} from './record.js';

const T = '2026-11-29T15:00:00';
const at = (second: number): string => `${T.slice(0, -2)}${String(second).padStart(2, '0')}.000Z`;
let events = 0;
const anEvent = (type: string, body: object, timestamp = at(0)): object => ({
  id: `event-${++events}`,
  type,
  timestamp,
  body: type === 'trace-create' ? body : { traceId: 'trace-1', ...body },
});
const read = (...batch: object[]): LangfuseRecord[] => {
  const reading = decodeLangfuseBatch(JSON.stringify({ batch }));
  if (!reading.ok || reading.refused.length > 0) throw new Error(JSON.stringify(reading));
  return reading.records;
};
type Of<T extends Item['type']> = Extract<Item, { type: T }>;
const all = <T extends Item['type']>(items: Item[], type: T): Of<T>[] =>
  items.filter((item): item is Of<T> => item.type === type);

/** An agent that calls a tool and a model, as SDKs before version 3 tell it. */
const anAgent = (): object[] => [
  anEvent('trace-create', {
    id: 'trace-1',
    name: 'my-agent',
    sessionId: 's1',
    userId: 'u',
    tags: ['t'],
    input: 'hi',
  }),
  anEvent('span-create', { id: 'a', name: 'loop', startTime: at(1) }),
  anEvent('generation-create', {
    id: 'g',
    name: 'model',
    parentObservationId: 'a',
    model: 'm',
    startTime: at(2),
  }),
  anEvent(
    'generation-update',
    { id: 'g', endTime: at(3), usage: { input: 11, output: 7, unit: 'TOKENS' } },
    at(3),
  ),
  anEvent('tool-create', {
    id: 't',
    name: 'search',
    parentObservationId: 'a',
    input: { q: 'a' },
    startTime: at(3),
  }),
  anEvent('tool-update', { id: 't', output: 'found a', endTime: at(4) }, at(4)),
  anEvent('event-create', { id: 'e', name: 'noted', parentObservationId: 't', startTime: at(4) }),
  anEvent('span-update', { id: 'a', endTime: at(5), output: 'done' }, at(5)),
  anEvent('trace-create', { id: 'trace-1', name: null, output: 'done' }, at(6)),
  anEvent('score-create', { id: 's', name: 'liked', value: 1 }, at(7)),
];

describe('a batch of the older Langfuse SDKs', () => {
  it('A trace is a run with its steps, its tool call and what it used', () => {
    const { items, runId, refused } = mapLangfuse(read(...anAgent()));
    expect(refused).toEqual([]);
    const [run] = all(items, 'run.started');
    expect(run).toMatchObject({
      agent: { name: 'my-agent', adapter: 'langfuse' },
      ...{ external_id: 'langfuse:trace-1', session_id: 's1', tags: ['t'], run_id: runId },
    });
    expect(run?.metadata?.parse()).toMatchObject({ userId: 'u', scores: [{ name: 'liked', value: 1 }] });
    const steps = all(items, 'step.started');
    expect(steps.map(({ node, kind }) => [node, kind])).toEqual([
      ['loop', 'chain'],
      ['model', 'llm'],
      ['noted', 'event'],
    ]);
    expect(steps.map(({ parent_step_id }) => parent_step_id)).toEqual([
      undefined,
      steps[0]?.id,
      steps[0]?.id,
    ]);
    expect(all(items, 'step.finished')[1]).toMatchObject({ tokens_in: 11, tokens_out: 7 });
    expect(all(items, 'tool_call.started')[0]).toMatchObject({ name: 'search', step_id: steps[0]?.id });
    expect(all(items, 'tool_call.completed')[0]?.result?.text).toBe('"found a"');
    expect(items.at(-1)).toMatchObject({
      type: 'run.finished',
      at: '2026-11-29T15:00:05.000000Z',
      status: 'succeeded',
    });
    expect(all(items, 'run.finished')[0]?.output?.text).toBe('"done"');
  });

  it('The order of events is that of their timestamps, whenever they come, and twice is once', () => {
    const records = read(...anAgent());
    const items = mapLangfuse(records).items;
    expect(mapLangfuse([...records].reverse()).items).toEqual(items);
    expect(mapLangfuse([...records, ...records]).items).toEqual(items);
  });

  it('A run goes on while something that nothing is above has not ended, and fails by the level of the last', () => {
    const open = anEvent('span-create', { id: 'b', startTime: at(1) });
    const closed = anEvent('span-create', {
      id: 'a',
      startTime: at(1),
      endTime: at(2),
      level: 'ERROR',
      statusMessage: 'broke',
    });
    expect(all(mapLangfuse(read(open, closed)).items, 'run.finished')).toEqual([]);
    const { items } = mapLangfuse(read(closed, anEvent('event-create', { id: 'e' })));
    expect(all(items, 'run.finished')[0]).toMatchObject({ status: 'failed', error: 'broke' });
    expect(items.every(({ agent }) => agent?.name === 'langfuse')).toBe(true);
  });

  it('Usage in either form is read, with its parts and its cost; what counts no tokens is not', () => {
    const usedBy = (body: object, type = 'generation'): object | undefined => {
      const event = anEvent(`${type}-create`, { id: 'g', startTime: at(1), endTime: at(2), ...body });
      const [step] = all(mapLangfuse(read(event)).items, 'step.finished');
      return (
        step && {
          in: step.tokens_in,
          out: step.tokens_out,
          cost: step.cost_usd,
          more: step.token_details?.text,
        }
      );
    };
    const details = { input: 5, output: 6, cache_read_input_tokens: 3 };
    expect(usedBy({ usageDetails: details, costDetails: { total: 0.25 } })).toEqual({
      ...{ in: 5, out: 6, cost: '0.25', more: '{"cache_read_tokens":3}' },
    });
    expect(usedBy({ usage: { promptTokens: 1, completionTokens: 2 } })).toMatchObject({ in: 1, out: 2 });
    expect(usedBy({ usage: { input: 1, output: 2, unit: 'CHARACTERS' } })).toMatchObject({ in: undefined });
    expect(usedBy({ usageDetails: { input: 4 } }, 'embedding')).toMatchObject({ in: 4 });
    expect(usedBy({ usageDetails: details }, 'span')).toMatchObject({ in: undefined });
  });

  it('An update whose observation is not known yet waits when it does not say what it is about', () => {
    const update = anEvent('observation-update', { id: 'o', endTime: at(3) }, at(3));
    expect(mapLangfuse(read(update)).items).toEqual([]);
    const create = anEvent('observation-create', { id: 'o', type: 'TOOL', startTime: at(1) });
    const types = mapLangfuse(read(update, create)).items.map(({ type }) => type);
    expect(types).toEqual(['tool_call.started', 'tool_call.completed', 'run.finished']);
  });

  it('Each event is judged alone, and what is understood but not kept is taken', () => {
    const body = '{"id":"trace-1","input":12345678901234567890,"metadata":{"__proto__":1}}';
    const reading = decodeLangfuseBatch(`{"batch":[
      {"id":"good","type":"trace-create","timestamp":"${at(0)}","body":${body}},
      {"id":"log","type":"sdk-log","timestamp":"${at(0)}","body":{}},
      {"id":"type","type":"x-create","timestamp":"${at(0)}","body":{}},
      {"id":"time","type":"span-create","timestamp":"now","body":{}},
      {"id":"trace","type":"span-create","timestamp":"${at(0)}","body":{"id":"x"}},
      {"id":"twice","type":"trace-create","timestamp":"${at(0)}","body":{"id":"x","id":"y"}},
      {"id":"nul","type":"trace-create","timestamp":"${at(0)}","body":{"id":"\\u0000"}},
      {"id":"none","type":"trace-create","timestamp":"${at(0)}"},
      {"type":"trace-create"}, 7],"metadata":{}}`);
    expect(reading).toMatchObject({ ok: true, taken: ['good', 'log'] });
    const { records, refused } = reading as Extract<typeof reading, { ok: true }>;
    expect(refused.map(({ id }) => id)).toEqual([
      'type',
      'time',
      'trace',
      'twice',
      'nul',
      'none',
      'batch[8]',
      'batch[9]',
    ]);
    expect(unpackLangfuse(packLangfuse(records))).toEqual(records);
    const [run] = all(mapLangfuse(records).items, 'run.started');
    expect([run?.input?.text, run?.metadata?.text]).toEqual(['12345678901234567890', '{"__proto__":1}']);
    for (const none of ['', '[]', '{"batch":{}}']) expect(decodeLangfuseBatch(none).ok).toBe(false);
  });

  it('A trace id that is a UUID, or hex as long as one, is the id of the run', () => {
    const id = '6415a91f-7746-4504-ab21-338c70f924bd';
    for (const traceId of [id, id.toUpperCase(), id.replaceAll('-', '')])
      expect(runIdOfLangfuse({ traceId })).toBe(id);
    expect(runIdOfLangfuse({ traceId: 'x' })).not.toBe(runIdOfLangfuse({ traceId: 'y' }));
  });
});
