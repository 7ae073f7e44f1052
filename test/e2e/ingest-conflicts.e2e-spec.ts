import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRunEnd, aRunStart, aStepEnd, aStepStart, at } from '../support/items.js';
import { aRun } from '../support/things.js';

type Members = Record<string, unknown>;

/** Each kind of child, and the same with other content. */
const CHILDREN: Record<string, [Members, Members]> = {
  step: [aStepStart('', '', { input: 1 }), aStepStart('', '', { input: 2 })],
  'tool call': [
    { type: 'tool_call.started', at: at(1), name: 'search', arguments: 1 },
    { type: 'tool_call.started', at: at(1), name: 'search', arguments: 2 },
  ],
  message: [
    { type: 'message', at: at(1), role: 'user', content: 'a' },
    { type: 'message', at: at(1), role: 'user', content: 'b' },
  ],
  checkpoint: [
    { type: 'checkpoint', at: at(1), state: 1 },
    { type: 'checkpoint', at: at(1), state: 2 },
  ],
};

describe('items that contradict each other', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  async function send(...items: object[]): Promise<string[]> {
    const { status, text, body } = await api.admin.post('/v1/ingest', items);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body.results.map(({ verdict, code }: { verdict: string; code?: string }) => code ?? verdict);
  }
  const shown = async (run: string) =>
    (await api.admin.get(`/v1/runs/${run}?include=steps,messages,tool_calls,checkpoints`)).body;

  it('The first end of a run stands, whatever comes after it', async () => {
    const run = randomUUID();
    expect(await send(aRunStart(run), aRunEnd(run))).toEqual(['created', 'updated']);
    expect(
      await send(
        aRunEnd(run, { status: 'failed' }),
        aRunEnd(run, { output: 2 }),
        aRunEnd(run),
        aRunEnd(run, { at: at(9) }),
      ),
    ).toEqual(['run.transition_refused', 'run.transition_refused', 'duplicate', 'duplicate']);
    expect(await shown(run)).toMatchObject({
      status: 'succeeded',
      output: { done: true },
      ended_at: at(60_000),
    });
  });

  it('The first announcement of a run stands', async () => {
    const run = randomUUID();
    await send(aRunStart(run, { input: 1, name: 'one' }));
    const before = await shown(run);
    expect(await send(aRunStart(run, { input: 2, name: 'one' }), aRunStart(run, { input: 1 }))).toEqual([
      ...['id_conflict', 'id_conflict'],
    ]);
    expect(await send(aRunStart(run, { input: 1, name: 'one' }))).toEqual(['duplicate']);
    expect(await shown(run)).toEqual(before);
  });

  it('The first end of a step and of a call stands', async () => {
    const [run, step, call] = [randomUUID(), randomUUID(), randomUUID()];
    const completed = { type: 'tool_call.completed', run_id: run, id: call, at: at(5), result: 1 };
    await send(aRunStart(run), aStepStart(run, step), aStepEnd(run, step, { output: 1 }), completed);
    const before = await shown(run);
    expect(
      await send(
        ...[
          aStepEnd(run, step, { output: 2 }),
          aStepEnd(run, step, { status: 'failed' }),
          aStepEnd(run, step, { output: 1 }),
        ],
        ...[{ ...completed, result: 2 }, { ...completed, error: 'no' }, completed],
      ),
    ).toEqual([
      ...['already_completed', 'already_completed', 'duplicate'],
      ...['already_completed', 'already_completed', 'duplicate'],
    ]);
    expect(await shown(run)).toEqual(before);
  });

  it.each(Object.entries(CHILDREN))(
    'A %s of the same id and other content is a conflict, and leaves nothing behind',
    async (_kind, [one, other]) => {
      const run = randomUUID();
      const of = { run_id: run, id: randomUUID() };
      const inStep =
        one['type'] === 'step.started' ? { parent_step_id: randomUUID() } : { step_id: randomUUID() };
      expect(await send(aRunStart(run), { ...one, ...of })).toEqual(['created', 'created']);
      const before = await shown(run);
      expect(await send({ ...other, ...of }, { ...one, ...of }, { ...one, ...of, ...inStep })).toEqual([
        ...['id_conflict', 'duplicate', 'id_conflict'],
      ]);
      expect(await shown(run)).toEqual(before);
      expect(await send(aStepStart(run), aStepStart(run))).toEqual(['created', 'created']);
      expect((await shown(run)).totals.steps).toBe(before.totals.steps + 2);
    },
  );

  it('A step is not its own ancestor, however the circle comes together', async () => {
    const run = randomUUID();
    const [a, b, c] = Array.from({ length: 3 }, () => randomUUID()) as [string, string, string];
    const hang = (id: string, parent_step_id: string): object => aStepStart(run, id, { parent_step_id });
    expect(await send(aRunStart(run), hang(a, b), hang(b, c), hang(c, a))).toEqual([
      ...['created', 'created', 'created', 'invalid_request'],
    ]);
    expect(await send(hang(c, a))).toEqual(['invalid_request']);
    expect(await send(hang(randomUUID(), a), aRunEnd(run))).toEqual(['created', 'updated']);
    expect(await send(aStepStart(run, a, { parent_step_id: a }))).toEqual(['invalid_request']);
  });

  it('An external id that another run has is a conflict of the announcement, and the run is heard of', async () => {
    const external_id = randomUUID();
    const [first, fresh, heardOf] = [randomUUID(), randomUUID(), randomUUID()];
    await send(aRunStart(first, { external_id }), aStepStart(heardOf));
    for (const run of [fresh, heardOf]) {
      expect(await send(aRunStart(run, { external_id }), aStepStart(run))).toEqual([
        'external_id_conflict',
        'created',
      ]);
      expect((await shown(run)).external_id).toBeNull();
    }
    const [one, other] = [randomUUID(), randomUUID()];
    const both = { external_id: randomUUID() };
    expect((await send(aRunStart(one, both), aRunStart(other, both))).sort()).toEqual([
      'created',
      'external_id_conflict',
    ]);
  });

  it('An id of a call stands for one call, within a batch as over batches', async () => {
    for (const split of [false, true]) {
      const [a, b, id] = [randomUUID(), randomUUID(), randomUUID()];
      const call = (run_id: string, members: object): object => ({ run_id, id, at: at(1), ...members });
      const items = [
        aRunStart(a),
        aRunStart(b),
        call(a, { type: 'tool_call.started', name: 'ta' }),
        call(b, { type: 'tool_call.started', name: 'tb' }),
        call(b, { type: 'tool_call.completed', result: 'B' }),
        call(a, { type: 'tool_call.completed', result: 'A' }),
      ];
      const cut = split ? 3 : 0;
      const verdicts = [...(await send(...items.slice(0, cut))), ...(await send(...items.slice(cut)))];
      expect(verdicts).toEqual(['created', 'created', 'created', 'id_conflict', 'id_conflict', 'updated']);
      expect([(await shown(a)).totals.tool_calls, (await shown(b)).totals.tool_calls]).toEqual([1, 0]);
      expect((await shown(a)).tool_calls.data[0]).toMatchObject({ name: 'ta', result: 'A' });
      expect((await shown(b)).tool_calls.data).toEqual([]);
    }
  });

  it('A run that was created and not started is started by its announcement', async () => {
    const { id, agent_id } = await aRun(api.admin);
    expect(await send(aRunStart(id, { agent: undefined, agent_id }))).toEqual(['updated']);
    expect((await shown(id)).status).toBe('running');
  });

  it('A batch under an Idempotency-Key that is sent again has the same answer', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const items = [aRunStart(randomUUID())];
    const first = await api.admin.post('/v1/ingest', items, key);
    const again = await api.admin.post('/v1/ingest', items, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await api.admin.post('/v1/ingest', [], key)).status).toBe(422);
  });
});
