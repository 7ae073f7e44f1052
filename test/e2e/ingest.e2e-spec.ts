import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { aRunEnd, aRunStart, aStepEnd, aStepStart, at } from '../support/items.js';
import { everyRow } from '../support/pages.js';

const verdictsOf = (body: { results: { verdict: string }[] }): string[] =>
  body.results.map(({ verdict }) => verdict);

describe('ingest', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('A batch tells a run from its start to its end, and what is acknowledged can be read', async () => {
    const [run, step, call, message, checkpoint] = Array.from({ length: 5 }, () => randomUUID());
    const items = [
      aRunStart(run as string, { input: { q: 1 }, tags: ['a'], metadata: { m: 1 }, session_id: 's' }),
      aStepStart(run as string, step, { kind: 'llm', input: { p: 1 }, model: 'unknown-model' }),
      {
        type: 'tool_call.started',
        run_id: run,
        id: call,
        at: at(1_100),
        name: 'search',
        step_id: step,
        arguments: { q: 'x' },
      },
      { type: 'tool_call.completed', run_id: run, id: call, at: at(1_500), result: ['found'] },
      {
        type: 'message',
        run_id: run,
        id: message,
        at: at(1_600),
        role: 'assistant',
        content: 'Hi',
        step_id: step,
      },
      { type: 'checkpoint', run_id: run, id: checkpoint, at: at(1_700), state: { s: null }, label: 'l' },
      { type: 'step.updated', run_id: run, id: step, at: at(1_800), metadata: { half: true } },
      aStepEnd(run as string, step as string, { output: 'out', tokens_in: 5, tokens_out: 7 }),
      aRunEnd(run as string),
    ];
    const answer = await api.admin.post('/v1/ingest', items);
    expect(answer.status).toBe(200);
    expect(verdictsOf(answer.body)).toEqual([
      ...['created', 'created', 'created', 'updated', 'created', 'created', 'updated', 'updated', 'updated'],
    ]);
    const read = (await api.admin.get(`/v1/runs/${run}?include=steps,messages,tool_calls,checkpoints`)).body;
    expect(read).toMatchObject({
      status: 'succeeded',
      input: { q: 1 },
      output: { done: true },
      tags: ['a'],
      started_at: at(0),
      ended_at: at(60_000),
      totals: { steps: 1, tool_calls: 1, messages: 1, tokens_in: 5, tokens_out: 7 },
    });
    expect(read.steps.data[0]).toMatchObject({
      ...{
        id: step,
        index: 0,
        node: 'plan',
        kind: 'llm',
        status: 'succeeded',
        output: 'out',
        latency_ms: 1_000,
      },
      ...{ metadata: { half: true }, started_at: at(1_000), ended_at: at(2_000) },
    });
    expect(read.tool_calls.data[0]).toMatchObject({
      id: call,
      status: 'succeeded',
      result: ['found'],
      latency_ms: 400,
    });
    const again = await api.admin.post('/v1/ingest', items);
    expect(new Set(verdictsOf(again.body))).toEqual(new Set(['duplicate']));
    expect((await api.admin.get(`/v1/runs/${run}`)).body).toEqual({
      ...read,
      steps: undefined,
      messages: undefined,
      tool_calls: undefined,
      checkpoints: undefined,
    });
  });

  it('Lines and gzip are taken as an array is', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const lines = [aRunStart(one), aRunEnd(one)].map((item) => JSON.stringify(item)).join('\n');
    const sent = await api.admin.post('/v1/ingest', `${lines}\n{"type":`, {
      'content-type': 'application/x-ndjson',
    });
    expect(verdictsOf(sent.body)).toEqual(['created', 'updated', 'rejected']);
    const response = await fetch(`${api.url}/v1/ingest`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.adminKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: gzipSync(JSON.stringify([aRunStart(two)])),
    });
    expect([response.status, verdictsOf((await response.json()) as never)]).toEqual([200, ['created']]);
  });

  it('[O5] A child registers its run, an end its step, and the start that comes later fills them in', async () => {
    const [run, step] = [randomUUID(), randomUUID()];
    const late = [
      aStepEnd(run, step, { output: 1 }),
      aRunEnd(run),
      aStepStart(run, step, { parent_step_id: randomUUID() }),
      aRunStart(run, { name: 'late' }),
    ];
    for (const item of late) {
      const answer = await api.admin.post('/v1/ingest', [item]);
      expect([answer.status, answer.body.results[0].code]).toEqual([200, undefined]);
    }
    const read = (await api.admin.get(`/v1/runs/${run}?include=steps`)).body;
    expect(read).toMatchObject({
      status: 'succeeded',
      name: 'late',
      started_at: at(0),
      ended_at: at(60_000),
    });
    expect(read.steps.data[0]).toMatchObject({
      id: step,
      node: 'plan',
      status: 'succeeded',
      latency_ms: 1_000,
    });
  });

  it.each<[string, (chain: object[]) => object[]]>([
    ['the root first', (chain) => chain],
    ['the leaf first', (chain) => [...chain].reverse()],
    ['every second first', (chain) => [1, 0].flatMap((odd) => chain.filter((_, i) => i % 2 === odd))],
  ])('A chain of 4,990 steps is kept whole by one batch, and never as a circle: %s', async (_, ordered) => {
    const run = randomUUID();
    const ids = Array.from({ length: 4_990 }, () => randomUUID());
    const above = new Map(ids.map((id, i) => [id, ids[i - 1] ?? null]));
    const chain = ids.map((id) => aStepStart(run, id, { parent_step_id: above.get(id) ?? undefined }));
    const circle = aStepStart(run, ids[0], { parent_step_id: ids.at(-1) });
    const batch = [aRunStart(run), ...ordered(chain), circle];
    const { results, counts } = (await api.admin.post('/v1/ingest', batch)).body;
    expect(counts).toEqual({ created: 4_991, updated: 0, duplicate: 0, rejected: 1 });
    expect(results.at(-1)).toMatchObject({ code: 'invalid_request', pointer: '/parent_step_id' });
    const again = (await api.admin.post('/v1/ingest', batch)).body;
    expect(again.counts).toEqual({ created: 0, updated: 0, duplicate: 4_991, rejected: 1 });
    const steps = await everyRow(api.admin, `/v1/runs/${run}/steps`, 100);
    expect(new Map(steps.map(({ id, parent_step_id }) => [id, parent_step_id]))).toEqual(above);
  });

  it('An agent that a batch tells to be one, another and the first again has three versions, each with its run', async () => {
    const runs = Array.from({ length: 4 }, () => randomUUID());
    const told = ['a', 'a', 'b', 'a'].map((model, i) =>
      aRunStart(runs[i] as string, { agent: { name: 'changing', adapter: 'custom', config: { model } } }),
    );
    expect(verdictsOf((await api.admin.post('/v1/ingest', told)).body)).toEqual(told.map(() => 'created'));
    const versions = await Promise.all(
      runs.map(async (id) => (await api.admin.get(`/v1/runs/${id}`)).body.agent_version as number),
    );
    expect(versions).toEqual([1, 1, 2, 3]);
  });
});
