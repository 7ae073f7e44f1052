import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENCODINGS, aSpan, aSpanId, aTrace, aTraceId, exportTo, nanos } from '../support/otlp.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { shownTrace } from '../support/shown-trace.js';
import { theTruth, type Truth } from '../support/truth.js';

const MORNING = '2026-02-03T08:00:00.000000Z';
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 3 };

describe('OTLP, sent as networks and clocks have it', () => {
  let apis: ApiPair;
  let truth: Truth;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const shown = (traceId: string) => shownTrace(apis.first.admin, traceId);
  async function send(spans: readonly object[], i = 0): Promise<void> {
    const { url } = i % 2 ? apis.second : apis.first;
    const encoding = ENCODINGS[(i >> 1) % 2] as 'json';
    const answer = await exportTo({ url, adminKey: apis.first.adminKey }, spans, { encoding });
    expect([answer.status, answer.rejected, answer.message]).toEqual([200, 0, '']);
  }

  it('[O4] The same export five times at once, over two instances and in both encodings, is one', async () => {
    const traceId = aTraceId();
    const spans = aTrace(traceId);
    await Promise.all([0, 1, 2, 3, 4].map((i) => send(spans, i)));
    const run = await shown(traceId);
    expect(run).toMatchObject({
      status: 'succeeded',
      totals: { steps: 1, tool_calls: 1, tokens_in: 5, tokens_out: 7 },
    });
    await send(spans);
    expect(await shown(traceId)).toEqual(run);
  });

  it('[O4] [O5] A trace that is split in any way, at once and again, comes to what it comes to as a whole', async () => {
    const traceId = aTraceId();
    const [root, ...rest] = aTrace(traceId);
    const more = Array.from({ length: 6 }, (_span, i) =>
      aSpan(traceId, { parentSpanId: root?.spanId, startTimeUnixNano: nanos(300 + i), attributes: chat }),
    );
    const spans = [root as object, ...rest, ...more];
    await send(spans);
    const whole = await shown(traceId);
    expect(whole.totals).toMatchObject({ steps: 7, tool_calls: 1, tokens_in: 5 + 6 * 3 });

    const other = aTraceId();
    const copies = spans.map((span) => ({ ...span, traceId: other }));
    await Promise.all(copies.map((span, i) => send([span], i)));
    await Promise.all([
      send(copies.slice(0, 5), 1),
      send(copies.slice(3), 2),
      send([...copies].reverse(), 3),
    ]);
    const pieces = await shown(other);
    expect([pieces.status, pieces.input, pieces.output, pieces.totals]).toEqual([
      ...[whole.status, whole.input, whole.output, whole.totals],
    ]);
    const [, ...indexes] = await truth.query(`SELECT index FROM steps WHERE run_id = $1 ORDER BY index`, [
      pieces.id,
    ]);
    expect(indexes.map(({ index }) => index)).toEqual(indexes.map((_row, i) => i + 1));
  });

  it('[O4] A span that is said again with less does not open what has ended', async () => {
    const traceId = aTraceId();
    const spans = aTrace(traceId);
    await send(spans);
    const before = await shown(traceId);
    await send(spans.map((span) => ({ ...span, endTimeUnixNano: undefined })));
    const after = await shown(traceId);
    expect(after.status).toBe(before.status);
    expect(after.totals).toEqual(before.totals);
    expect(after.steps.map(({ status }: { status: string }) => status)).toEqual(['succeeded']);
  });

  it('[O5] A child before its parent hangs below it once that is known, with nothing counted twice', async () => {
    const traceId = aTraceId();
    const root = aSpan(traceId, { name: 'root' });
    const usage = { ...chat, 'gen_ai.operation.name': 'invoke_agent' };
    const middle = aSpan(traceId, { parentSpanId: root.spanId, name: 'middle', attributes: usage });
    const leaf = aSpan(traceId, { parentSpanId: middle.spanId, name: 'leaf', attributes: chat });
    await send([leaf]);
    expect(await shown(traceId)).toMatchObject({ status: 'running', totals: { tokens_in: 3 } });
    await send([middle]);
    await send([root]);
    const run = await shown(traceId);
    expect(run).toMatchObject({ status: 'succeeded', name: 'root', totals: { steps: 2, tokens_in: 3 } });
    const [above, below] = ['middle', 'leaf'].map((node) =>
      run.steps.find((one: { node: string }) => one.node === node),
    );
    expect([above.parent_step_id, below.parent_step_id]).toEqual([null, above.id]);
  });

  it('[O5] A parent that never comes leaves its children in a run that goes on', async () => {
    const traceId = aTraceId();
    await send([aSpan(traceId, { parentSpanId: aSpanId(), attributes: chat })]);
    const run = await shown(traceId);
    expect(run.status).toBe('running');
    expect(run.steps).toEqual(
      expect.arrayContaining([expect.objectContaining({ status: 'succeeded', tokens_in: 3 })]),
    );
  });

  it('[O5] Spans that come when their run has long ended are its own', async () => {
    const traceId = aTraceId();
    const [root, ...rest] = aTrace(traceId);
    await send([root as object]);
    await truth.endedBefore((await shown(traceId)).id, 86_400);
    await send(rest);
    const run = await shown(traceId);
    expect(run).toMatchObject({ status: 'succeeded', totals: { steps: 1, tool_calls: 1, tokens_in: 5 } });
  });

  it('[O11] What ends before it starts took no time, and is flagged', async () => {
    const traceId = aTraceId();
    const [root, model] = aTrace(traceId);
    await send([root as object, { ...model, endTimeUnixNano: nanos(50) }]);
    const [step] = (await shown(traceId)).steps;
    expect(step).toMatchObject({ latency_ms: 0, metadata: { 'agentflow.flags': ['ended_before_start'] } });
  });

  it.each([
    ['1970', '1'],
    ['2262', String(2n ** 63n - 1n)],
    ['after all that fits into 63 bits', String(2n ** 64n - 1n)],
    ['no time at all', '0'],
  ])(
    '[O11] A clock that stands at %s is taken, and the run can be read and listed',
    async (_what, startTimeUnixNano) => {
      const traceId = aTraceId();
      const spans = aTrace(traceId).map((span) => ({ ...span, startTimeUnixNano }));
      await send(spans);
      const run = await shown(traceId);
      expect(run.status).toBe('succeeded');
      for (const { latency_ms } of [...run.steps, ...run.tool_calls])
        expect(latency_ms).toBeGreaterThanOrEqual(0);
      expect((await apis.second.as(apis.first.adminKey).get('/v1/runs?limit=200')).status).toBe(200);
    },
  );

  it.each(['1.5', '1.770105600e18', 'yesterday', '-1'])(
    '[O11] Nanoseconds that are written %s are refused or taken, and never a fault of ours',
    async (startTimeUnixNano) => {
      const traceId = aTraceId();
      const answer = await exportTo(
        apis.first,
        aTrace(traceId).map((span) => ({ ...span, startTimeUnixNano })),
      );
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200)
        expect(answer.rejected === 3 || (await shown(traceId)).started_at >= '1970').toBe(true);
    },
  );

  it('[O11] Times come through as they were sent, to the microsecond', async () => {
    const traceId = aTraceId();
    await send(aTrace(traceId));
    expect((await shown(traceId)).started_at).toBe(MORNING);
  });
});
