import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { at } from '../support/items.js';
import { aSpan, aTraceId, exportTo, nanos, runIdOf } from '../support/otlp.js';
import { aProject } from '../support/things.js';

/** A payload of so many bytes. */
const large = (bytes: number): string => 'x'.repeat(bytes);
const MEGABYTE = 1_000_000;

describe('traces of many and of large requests', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  const shown = async (run: string) => (await api.admin.get(`/v1/runs/${run}?include=steps,tool_calls`)).body;

  describe('of LangSmith', () => {
    const post = async (run: object): Promise<void> => {
      expect((await api.admin.post('/langsmith/runs', run)).status).toBe(202);
    };
    const patch = async ({ id, ...run }: { id: string } & Record<string, unknown>): Promise<void> => {
      expect((await api.admin.patch(`/langsmith/runs/${id}`, run)).status).toBe(202);
    };
    const aRoot = (id: string): object => ({
      ...{
        id,
        trace_id: id,
        name: 'root',
        run_type: 'chain',
        start_time: at(0),
        inputs: { q: 1 },
        tags: ['t'],
      },
      extra: { metadata: { thread_id: 'conversation', ours: 1 } },
    });
    const aChild = (root: string, members: object = {}) => ({
      ...{ id: randomUUID(), trace_id: root, parent_run_id: root, name: 'child', run_type: 'chain' },
      ...{ start_time: at(10), end_time: at(20) },
      ...members,
    });
    const itsEnd = (root: string) => ({
      ...{ id: root, trace_id: root, name: 'root', end_time: at(1_000), outputs: { a: 1 } },
    });
    const WHOLE = {
      ...{ status: 'succeeded', name: 'root', input: { q: 1 }, output: { a: 1 }, session_id: 'conversation' },
      ...{ tags: ['t'], metadata: { ours: 1 }, started_at: at(0), ended_at: at(1_000) },
    };

    it('[O5] The end of a root says nothing less of it after 205 requests', async () => {
      const root = randomUUID();
      await post(aRoot(root));
      for (let i = 0; i < 205; i++) await post(aChild(root));
      await patch(itsEnd(root));
      const run = await shown(root);
      expect(run).toMatchObject(WHOLE);
      expect(run.totals.steps).toBe(205);
    }, 60_000);

    it('[O5] … and after many megabytes, in which a step and a call began that end at last', async () => {
      const root = randomUUID();
      const open = { end_time: undefined, inputs: { large: large(MEGABYTE) } };
      const [step, call] = [aChild(root, open), aChild(root, { ...open, run_type: 'tool', name: 'search' })];
      const below = aChild(root, { parent_run_id: step.id });
      await post(aRoot(root));
      await post(step);
      await post(call);
      for (let i = 0; i < 5; i++) await post(aChild(root, { outputs: { large: large(3 * MEGABYTE) } }));
      await post(below);
      for (const { id } of [step, call])
        await patch({ id, trace_id: root, end_time: at(500), outputs: { o: 1 } });
      await patch(itsEnd(root));
      const run = await shown(root);
      expect(run).toMatchObject({ ...WHOLE, totals: { steps: 7, tool_calls: 1 } });
      const ended = { status: 'succeeded', ended_at: at(500) };
      const byId = (id: string) => run.steps.data.find((one: { id: string }) => one.id === id);
      expect(byId(step.id)).toMatchObject({ ...ended, node: 'child', output: { o: 1 } });
      expect(byId(step.id).input.large).toHaveLength(MEGABYTE);
      expect(byId(below.id).parent_step_id).toBe(step.id);
      const [kept] = run.tool_calls.data;
      expect(kept).toMatchObject({ ...ended, name: 'search', result: { o: 1 } });
      expect(kept.arguments.large).toHaveLength(MEGABYTE);
    }, 60_000);
  });

  it.each([2, 4])(
    '[O5] A trace of Langfuse keeps what it began with after %i roots of 3.2 MB',
    async (count) => {
      const id = randomUUID();
      const event = (type: string, ms: number, body: object): object => ({
        ...{ id: randomUUID(), type, timestamp: at(ms), body },
      });
      const send = async (...batch: object[]): Promise<void> => {
        const { status, body } = await api.admin.post('/langfuse/api/public/ingestion', { batch });
        expect([status, body.errors]).toEqual([207, []]);
      };
      const trace = { id, name: 'trace', sessionId: 's', input: { q: 1 }, tags: ['t'] };
      await send(event('trace-create', 0, trace));
      for (let i = 1; i <= count; i++) {
        const times = { startTime: at(i * 10), endTime: at(i === 1 ? 9_000 : i * 10 + 5) };
        const level = i === 1 ? { level: 'ERROR', statusMessage: 'no' } : {};
        const span = { id: randomUUID(), traceId: id, name: 'span', input: large(3_200_000) };
        await send(event('span-create', i * 10, { ...span, ...times, ...level }));
      }
      await send(event('trace-create', 10_000, { id, output: { a: 1 } }));
      expect(await shown(id)).toMatchObject({
        ...{
          status: 'failed',
          error: 'no',
          name: 'trace',
          session_id: 's',
          input: { q: 1 },
          output: { a: 1 },
        },
        ...{ tags: ['t'], started_at: at(0), ended_at: at(9_000), totals: { steps: count } },
      });
    },
    60_000,
  );

  it('[O5] A trace of OTLP keeps its session, whatever else comes', async () => {
    const traceId = aTraceId();
    const root = aSpan(traceId, { name: 'root', attributes: { 'gen_ai.agent.name': 'long' } });
    const below = { traceId, parentSpanId: root.spanId };
    const chat = { 'gen_ai.operation.name': 'chat' };
    const first = aSpan(traceId, { ...below, attributes: { ...chat, 'session.id': 'conversation' } });
    await exportTo(api, [first]);
    for (let i = 0; i < 205; i++) {
      await exportTo(api, [aSpan(traceId, { ...below, startTimeUnixNano: nanos(i), attributes: chat })]);
    }
    await exportTo(api, [root]);
    const run = await shown(runIdOf(traceId));
    expect(run).toMatchObject({ session_id: 'conversation', status: 'succeeded', totals: { steps: 206 } });
  }, 60_000);
});
