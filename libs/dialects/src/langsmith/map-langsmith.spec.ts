import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Item } from '../reported-items.js';
import { decodeLangsmithBatch } from './decode-batch.js';
import { decodeLangsmithMultipart } from './decode-multipart.js';
import { mapLangsmith } from './map-langsmith.js';
import type { LangsmithRecord } from './record.js';

const ROOT = '01a227e7-f3ca-74d0-b648-57097642999c';
const CHILD = '01a227e7-f3ca-74d0-b648-000000000001';
const GRANDCHILD = '01a227e7-f3ca-74d0-b648-000000000002';
const START = '2026-11-29T15:24:02.379001Z';

const fixture = (file: string): LangsmithRecord[] => {
  const body = readFileSync(new URL(`../../../../test/fixtures/drop-in/${file}`, import.meta.url));
  const reading = decodeLangsmithMultipart(body, body.toString('latin1').slice(2, body.indexOf('\r\n')));
  return reading.ok ? reading.records : [];
};
const posted = (...post: object[]): LangsmithRecord[] => {
  const runs = post.map((run) => ({
    trace_id: ROOT,
    start_time: START,
    run_type: 'chain',
    name: 'n',
    ...run,
  }));
  const reading = decodeLangsmithBatch(JSON.stringify({ post: runs }));
  if (!reading.ok || reading.refused.length > 0) throw new Error(JSON.stringify(reading));
  return reading.records;
};
type Of<T extends Item['type']> = Extract<Item, { type: T }>;
const all = <T extends Item['type']>(items: Item[], type: T): Of<T>[] =>
  items.filter((item): item is Of<T> => item.type === type);
const parsed = (json: { parse(): unknown } | undefined): unknown => json?.parse();
const child = { id: CHILD, parent_run_id: ROOT };

describe.each(['langsmith-js.multipart', 'langsmith-py.multipart'])(
  'a LangGraph agent captured in %s',
  (file) => {
    const records = fixture(file);
    const { items, runId, projectName, refused } = mapLangsmith(records);

    it('It is a run of its agent that has succeeded, with its words, tags, conversation and project', () => {
      expect({ projectName, refused }).toEqual({ projectName: 'demo', refused: [] });
      const [run] = all(items, 'run.started');
      expect(run).toMatchObject({
        external_id: `langsmith:${runId}`,
        tags: ['t1'],
        session_id: 's1',
        name: 'my-agent',
      });
      expect(run?.agent).toEqual({ name: 'my-agent', adapter: 'langgraph' });
      expect(parsed(run?.metadata)).toMatchObject({ user: 'u', session_name: 'demo', runtime: {} });
      expect(items.at(-1)).toMatchObject({ type: 'run.finished', status: 'succeeded' });
    });

    it('Its models used 31 tokens and wrote 12, four of them from a cache', () => {
      const used = all(items, 'step.finished').filter(({ tokens_in }) => tokens_in !== undefined);
      expect(used.map(({ tokens_in, tokens_out }) => [tokens_in, tokens_out])).toEqual([
        [11, 7],
        [20, 5],
      ]);
      expect(parsed(used[1]?.token_details)).toEqual({ cache_read_tokens: 4 });
    });

    it('Its two tool calls stand below the node that made them, one with its answer and one with its error', () => {
      const calls = all(items, 'tool_call.started');
      const node = all(items, 'step.started').find((step) => step.node === 'tools');
      expect(calls.map(({ name, step_id }) => [name, step_id])).toEqual([
        ['search', node?.id],
        ['boom', node?.id],
      ]);
      expect(calls[0]?.provider_call_id).toBe('call_1');
      expect(parsed(calls[0]?.arguments)).toEqual({ q: 'a' });
      const [search, boom] = calls.map(({ id }) =>
        all(items, 'tool_call.completed').find((end) => end.id === id),
      );
      expect(search?.status).toBe('succeeded');
      expect(search?.result?.text).toContain('found');
      expect(boom?.status).toBe('failed');
      expect(boom?.error).toMatch(/^(tool broke|ValueError\('tool broke'\))$/);
      expect(boom?.error_type).toMatch(/^(Value)?Error$/);
      expect(parsed(calls[1]?.metadata)).toMatchObject({ stack: expect.stringContaining('tool broke') });
    });

    it('What was said in it is there once, in order', () => {
      const messages = all(items, 'message');
      expect(messages.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'hi 你好'],
        ['assistant', ''],
        ['tool', 'found a'],
        ['tool', expect.stringContaining('Please fix your mistakes.')],
        ['assistant', 'done'],
      ]);
      expect(messages[2]).toMatchObject({ name: 'search', tool_call_id: 'call_1' });
      expect(parsed(messages[1]?.extra)).toMatchObject({ tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] });
    });

    it('Plumbing is marked, and nodes are called as in the graph', () => {
      const steps = all(items, 'step.started');
      const internal = steps.filter(({ metadata }) => metadata?.text.includes('"internal":true'));
      expect(new Set(internal.map(({ node }) => node))).toEqual(
        new Set(file.includes('js') ? ['__start__', 'RunnableLambda'] : ['RunnableCallable']),
      );
      expect(steps.filter(({ kind }) => kind === 'llm').length).toBe(2);
    });

    it('Sent twice it is the same', () => {
      expect(mapLangsmith([...records, ...records])).toEqual(mapLangsmith(records));
    });
  },
);

describe('a trace of LangSmith', () => {
  it('Before its root is known each item names an agent by the best guess, and no run is announced', () => {
    const { items } = mapLangsmith(posted({ ...child, session_name: 'demo', end_time: START }));
    expect(items.map(({ type, agent }) => [type, agent])).toEqual([
      ['step.started', { name: 'demo', adapter: 'langsmith' }],
      ['step.finished', { name: 'demo', adapter: 'langsmith' }],
    ]);
  });

  it('A step stands below the nearest known step, and below none while its parent is not known', () => {
    const below = { id: GRANDCHILD, parent_run_id: CHILD };
    const parentIn = (...runs: object[]): unknown =>
      all(mapLangsmith(posted(...runs)).items, 'step.started').find(({ id }) => id === GRANDCHILD)
        ?.parent_step_id;
    expect(parentIn(below)).toBeUndefined();
    expect(parentIn(below, child)).toBe(CHILD);
    expect(parentIn(below, { ...child, run_type: 'tool' }, { id: ROOT })).toBeUndefined();
    expect(parentIn({ ...below, parent_run_id: GRANDCHILD })).toBeUndefined();
  });

  it('A patch says more than a post, whichever comes first, and null takes nothing away', () => {
    const post = posted({ id: ROOT, inputs: { a: 1 }, error: null });
    const text = JSON.stringify({
      patch: [{ id: ROOT, end_time: 1795965842424.5, inputs: null, error: 'broke\nat x' }],
    });
    const reading = decodeLangsmithBatch(text);
    const patch = reading.ok ? reading.records : [];
    const { items } = mapLangsmith([...patch, ...post]);
    expect(items).toEqual(mapLangsmith([...post, ...patch]).items);
    expect(parsed(all(items, 'run.started')[0]?.input)).toEqual({ a: 1 });
    expect(items.at(-1)).toMatchObject({
      at: '2026-11-29T15:24:02.424500Z',
      status: 'failed',
      error: 'broke',
    });
  });

  it('A time without a zone is UTC, and none at all is taken from dotted_order or refused', () => {
    const startOf = (run: object): unknown => {
      const { items, refused } = mapLangsmith(posted({ id: ROOT, ...run }));
      return items[0]?.at ?? refused[0]?.detail;
    };
    expect(startOf({ start_time: '2026-11-29T15:24:02.37' })).toBe('2026-11-29T15:24:02.370000Z');
    expect(startOf({ start_time: '2026-11-29 16:24:02+01:00' })).toBe('2026-11-29T15:24:02.000000Z');
    expect(startOf({ start_time: 1795965842424 })).toBe('2026-11-29T15:24:02.424000Z');
    expect(startOf({ start_time: 'x', dotted_order: `20261129T152402379001Z${ROOT}` })).toBe(START);
    for (const none of [null, 'x', -1, 1e300, {}])
      expect(startOf({ start_time: none })).toMatch(/nothing says when/);
  });

  it('A repetition is a message of its own, and the history of a thread is not said again', () => {
    const human = (id: string, content: string): object => ({ type: 'human', id, content });
    const ai = { type: 'ai', content: 'yes' };
    const said = (inputs: unknown, outputs: unknown): unknown => {
      const { items } = mapLangsmith(
        posted({ id: ROOT, inputs: { messages: inputs }, outputs: { messages: outputs } }),
      );
      const messages = all(items, 'message');
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
      return messages.map(({ content }) => content).join();
    };
    expect(said([human('1', 'ok')], [human('1', 'ok'), ai, human('2', 'ok'), ai])).toBe('ok,yes,ok,yes');
    expect(said([human('2', 'ok')], [human('1', 'ok'), ai, human('2', 'ok'), ai])).toBe('ok,yes');
    expect(said([['user', 'hi']], [{ role: 'user', content: 'hi' }, ai])).toBe('hi,yes');
    expect(said([[human('1', 'a')]], undefined)).toBe('a');
    expect(said('x', [1, null, [], {}, { type: 'remove' }])).toBe('');
  });

  it('A model that is called by itself is a run with one step that carries its usage', () => {
    const outputs = {
      generations: [[{ message: { kwargs: { usage_metadata: { input_tokens: 3, output_tokens: 4 } } } }]],
    };
    const { items } = mapLangsmith(posted({ id: ROOT, run_type: 'llm', outputs, end_time: START }));
    expect(items.map(({ type }) => type)).toEqual([
      'run.started',
      'step.started',
      'step.finished',
      'run.finished',
    ]);
    expect(all(items, 'step.finished')[0]).toMatchObject({ id: ROOT, tokens_in: 3, tokens_out: 4 });
  });

  it('Names, tags and metadata that do not fit are cut or set aside, and kept whole beside', () => {
    const name = `${'x'.repeat(254)}🎉y`;
    const tags = ['short', 'x'.repeat(129)];
    const metadata = { stack: 'theirs', __proto__x: 1, constructor: 2 };
    const { items, refused } = mapLangsmith(posted({ id: ROOT, name, tags, extra: { metadata } }));
    const [run] = all(items, 'run.started');
    expect(run).toMatchObject({ name: `${'x'.repeat(254)}…`, tags: ['short'], agent: { name: 'langsmith' } });
    expect(parsed(run?.metadata)).toMatchObject({ name, tags, ...metadata });
    expect(refused).toEqual([]);
  });

  it('What jsonb cannot hold is refused by itself', () => {
    const [record] = posted({ id: ROOT, extra: { metadata: { a: 1, n: 'BIG' } } });
    const extra = record?.members.get('extra')?.text.replace('"BIG"', `[${Array(50).fill('1e300').join()}]`);
    const text = `{"post":[{"id":"${ROOT}","name":"n","start_time":"${START}","extra":${extra}}]}`;
    const reading = decodeLangsmithBatch(text);
    const { items, refused } = mapLangsmith(reading.ok ? reading.records : []);
    expect(refused).toEqual([{ id: `${ROOT}.n`, detail: expect.stringContaining('numbers') }]);
    expect(parsed(all(items, 'run.started')[0]?.metadata)).toEqual({ a: 1 });
  });

  it('Feedback and attachments are kept with the metadata', () => {
    const body = [
      [`post.${ROOT}`, `{"name":"n","start_time":"${START}"}`],
      [`attachment.${ROOT}.a.txt`, 'hello'],
      [`feedback.${CHILD}`, `{"id":"${CHILD}","run_id":"${ROOT}","score":12345678901234567890}`],
    ].map(([name, content]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`);
    const reading = decodeLangsmithMultipart(Buffer.from(`${body.join('')}--b--`), 'b');
    const { items } = mapLangsmith(reading.ok ? reading.records : []);
    const metadata = all(items, 'run.started')[0]?.metadata;
    expect(metadata?.text).toContain('"score":12345678901234567890');
    expect(parsed(metadata)).toMatchObject({ attachments: [{ name: 'a.txt', size: 5, stored: false }] });
  });
});
