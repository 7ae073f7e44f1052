import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRunStart, aStepStart } from '../support/items.js';
import * as things from '../support/things.js';

let api: TestApi;
beforeAll(async () => {
  api = await anApi();
});
afterAll(() => api.close());

const compare = (a: string, b: string, query = '') => api.admin.get(`/v1/runs/${a}/compare/${b}${query}`);

type Told = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

interface StepAsSent {
  node: string;
  input?: unknown;
  output?: unknown;
  [member: string]: unknown;
}

/** A run that has ended, with these steps; a step of 20 ms, unless it says otherwise. */
async function aRunOf(
  steps: readonly StepAsSent[],
  members: Record<string, unknown> = {},
): Promise<{ id: string; stepIds: string[] }> {
  const { id } = await things.aRunningRun(api.admin, members);
  const stepIds: string[] = [];
  for (const step of steps) {
    const sent = { status: 'succeeded', latency_ms: 20, ...step };
    stepIds.push((await things.aStep(api.admin, id, sent)).id);
  }
  await api.admin.post(`/v1/runs/${id}/succeed`, { output: { city: 'Lisbon' } });
  return { id, stepIds };
}

const NODES: readonly StepAsSent[] = [
  { node: 'plan', input: { to: 'LIS' }, output: { ok: true } },
  { node: 'search', kind: 'llm', input: { q: 1 }, output: { eur: 119 }, tokens_in: 10, cost_usd: '0.5' },
  { node: 'write', output: 'done' },
];

describe('GET /v1/runs/:run_id/compare/:other_run_id', () => {
  it('tells the one step that a copy of a run did otherwise, and nothing of those that it did the same', async () => {
    const { id: agent_id } = await things.anAgent(api.admin);
    const a = await aRunOf(NODES, { agent_id, input: 1 });
    const changed = {
      ...NODES[1],
      node: 'search',
      output: { eur: 99, stops: 1 },
      tokens_in: 12,
      cost_usd: '0.25',
    };
    const b = await aRunOf([NODES[0] as StepAsSent, changed, NODES[2] as StepAsSent], { agent_id, input: 2 });
    const { status, body } = await compare(a.id, b.id);
    expect(status).toBe(200);
    expect(body.steps).toEqual({ paired: 3, only_in_a: 0, only_in_b: 0, is_longest: true, left_out: 0 });
    expect(body.data.map(({ changes }: { changes: unknown }) => changes !== null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(body.data[1]).toMatchObject({
      ...{ position: 1, node: 'search', kind: 'llm' },
      ...{ a: { id: a.stepIds[1], index: 1 }, b: { id: b.stepIds[1], index: 1 } },
      changes: {
        ...{ status: null, input: null, latency_ms: null, error: null, tool_calls: [] },
        tokens_in: { from: 10, to: 12 },
        cost_usd: { from: '0.5', to: '0.25' },
        output: {
          added: { '/stops': 1 },
          removed: {},
          changed: { '/eur': { from: 119, to: 99 } },
          omitted: [],
          untold: 0,
        },
      },
    });
    expect(body.run).toMatchObject({
      ...{ agent_id: null, agent_version: null, status: null, output: null, steps: null },
      input: { changed: { '': { from: 1, to: 2 } } },
      tokens_in: { from: '10', to: '12' },
      cost_usd: { from: '0.5', to: '0.25' },
    });
  });

  it('a fork that does one step otherwise differs in this step and in what its run says', async () => {
    const { id: agent_id } = await things.anAgent(api.admin);
    const source = await things.aRunningRun(api.admin, { agent_id, input: 'Where to?' });
    for (const node of ['plan', 'search'])
      await things.aStep(api.admin, source.id, { node, input: { node }, status: 'succeeded', latency_ms: 1 });
    const { index } = await things.aCheckpoint(api.admin, source.id);
    await api.admin.post(`/v1/runs/${source.id}/fail`, { error: 'no flights' });
    const fork = await api.admin.post(`/v1/runs/${source.id}/checkpoints/${index}/fork`, {});
    expect([fork.status, fork.body.origin]).toEqual([201, 'fork']);
    await api.admin.post(`/v1/runs/${fork.body.id}/start`, {});
    await things.aStep(api.admin, fork.body.id, {
      node: 'plan',
      input: { node: 'plan' },
      status: 'succeeded',
      latency_ms: 1,
    });
    await things.aStep(api.admin, fork.body.id, {
      node: 'search',
      input: { node: 'other' },
      status: 'failed',
      error: 'none',
      latency_ms: 1,
    });
    await api.admin.post(`/v1/runs/${fork.body.id}/succeed`, { output: 'Porto' });
    const { body } = await compare(source.id, fork.body.id);
    expect(body.run).toMatchObject({
      status: { from: 'failed', to: 'succeeded' },
      error: { from: 'no flights', to: null },
      output: { added: { '': 'Porto' } },
    });
    expect(
      body.data.map(({ node, changes }: Told) => [
        node,
        changes && [changes.status, changes.error, changes.input.changed],
      ]),
    ).toEqual([
      ['plan', null],
      [
        'search',
        [
          { from: 'succeeded', to: 'failed' },
          { from: null, to: 'none' },
          { '/node': { from: 'search', to: 'other' } },
        ],
      ],
    ]);
  });

  it('shows steps that only one run has, page by page each once, and mirrored the other way round', async () => {
    const a = await aRunOf(['plan', 'search', 'judge', 'write'].map((node) => ({ node })));
    const b = await aRunOf(['plan', 'ask', 'search', 'search', 'write'].map((node) => ({ node })));
    const whole = (await compare(a.id, b.id)).body;
    const names = (data: Told[]) =>
      data.map(({ node, a: left, b: right }) => [node, left?.index ?? null, right?.index ?? null]);
    expect(whole.steps).toMatchObject({ paired: 3, only_in_a: 1, only_in_b: 2 });
    expect(names(whole.data)).toHaveLength(6);
    const mirrored = (await compare(b.id, a.id)).body;
    const swapped = names(mirrored.data).map(([node, left, right]) => [node, right, left]);
    expect(swapped.sort()).toEqual(names(whole.data).sort());
    const paged: Told[] = [];
    for (let cursor = ''; ;) {
      const { body } = await compare(a.id, b.id, `?limit=4${cursor}`);
      paged.push(...body.data);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(paged).toEqual(whole.data);
    for (const [side, ids] of [
      ['a', a.stepIds],
      ['b', b.stepIds],
    ] as const)
      expect(paged.flatMap((step) => (step[side] ? [step[side].id] : []))).toEqual(ids);
    expect((await compare(a.id, b.id, '?limit=51')).status).toBe(400);
    const { next_cursor } = (await compare(a.id, b.id, '?limit=1')).body;
    expect((await compare(b.id, a.id, `?cursor=${next_cursor}`)).body.code).toBe('invalid_cursor');
  });

  it('a run is no other than itself', async () => {
    const { id } = await aRunOf(NODES);
    const { body } = await compare(id, id);
    expect(Object.values(body.run).every((one) => one === null)).toBe(true);
    expect(body.data.map(({ changes }: { changes: unknown }) => changes)).toEqual([null, null, null]);
  });

  it('compares the tool calls of a step by their names and order', async () => {
    const [a, b] = [await things.aRunningRun(api.admin), await things.aRunningRun(api.admin)];
    const ids: string[] = [];
    const calls = [
      [
        ['flights', { to: 'LIS' }],
        ['hotels', { n: 1 }],
      ],
      [
        ['flights', { to: 'OPO' }],
        ['trains', {}],
        ['hotels', { n: 1 }],
      ],
    ] as const;
    for (const [i, run] of [a, b].entries()) {
      const step = await things.aStep(api.admin, run.id, {
        node: 'tools',
        status: 'succeeded',
        latency_ms: 1,
      });
      for (const [name, args] of calls[i] ?? [])
        ids.push(
          (
            await things.aToolCall(api.admin, run.id, {
              step_id: step.id,
              name,
              arguments: args,
              result: 1,
              latency_ms: 5,
            })
          ).id,
        );
    }
    const { body } = await compare(a.id, b.id);
    expect(body.data[0].changes.tool_calls).toMatchObject([
      {
        name: 'flights',
        a: ids[0],
        b: ids[2],
        arguments: { changed: { '/to': { from: 'LIS', to: 'OPO' } } },
        result: null,
      },
      { name: 'trains', a: null, b: ids[3] },
    ]);
    expect(body.data[0].changes.tool_calls).toHaveLength(2);
  });

  it('[F1] tells big integers digit for digit, and only measures what is large', async () => {
    const text = 'x'.repeat(3_000);
    const huge = 'y'.repeat(100_000);
    const make = async (n: string, end: string): Promise<string> => {
      const { id } = await things.aRunningRun(api.admin);
      const input = `{"n":${n},"text":"${text}${end}"}`;
      await api.admin.post(
        `/v1/runs/${id}/steps`,
        `{"node":"a","latency_ms":1,"status":"succeeded","input":${input},"output":"${huge}${end}"}`,
      );
      return id;
    };
    const { text: told, body } = await compare(
      await make('12345678901234567890', 'a'),
      await make('12345678901234567891', 'b'),
    );
    expect(told).toContain('"/n":{"from":12345678901234567890,"to":12345678901234567891}');
    expect(body.data[0].changes.input.omitted).toEqual([
      { pointer: '/text', from_size: 3_003, to_size: 3_003 },
    ]);
    expect(body.data[0].changes.output.omitted).toEqual([
      { pointer: '', from_size: 100_003, to_size: 100_003 },
    ]);
    expect(told.length).toBeLessThan(4_000);
  });

  it('[T1] both runs have to be in sight: else it is the same 404, whichever it is', async () => {
    const stranger = api.as((await things.anOrganization(api.root)).api_key.key);
    const [ours, theirs] = [(await aRunOf([])).id, (await things.aRunningRun(stranger)).id];
    for (const [a, b] of [
      [ours, theirs],
      [theirs, ours],
      [ours, randomUUID()],
      [ours, 'x'],
    ] as const)
      expect(await compare(a, b)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('runs of thousands of steps are compared within their bounds', async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const [i, id] of ids.entries()) {
      await api.admin.post('/v1/ingest', [aRunStart(id)]);
      const steps = Array.from({ length: 2_500 }, (_, n) =>
        aStepStart(id, randomUUID(), { node: n === 1_000 + i ? `odd ${i}` : `node ${n % 9}` }),
      );
      expect((await api.admin.post('/v1/ingest', steps)).body.counts.rejected).toBe(0);
    }
    const { body } = await compare(ids[0] as string, ids[1] as string, '?limit=1');
    expect(body.steps).toMatchObject({ is_longest: true, left_out: 0 });
    expect(body.steps.paired).toBeGreaterThan(2_490);
    expect(body.steps.paired + body.steps.only_in_a).toBe(2_500);
  }, 60_000);
});
