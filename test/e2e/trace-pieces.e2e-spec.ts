import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anApi, type TestApi } from '../support/api.js';
import { dice } from '../support/dice.js';
import { EFFORT } from '../support/effort.js';
import { aSpan, aTraceId, exportTo, nanos, runIdOf } from '../support/otlp.js';
import { aProject } from '../support/things.js';

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

const ROLES: Readonly<Record<string, Record<string, unknown>>> = {
  agent: { 'gen_ai.operation.name': 'invoke_agent' },
  'named agent': { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'fuzzed' },
  'other agent': { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'second' },
  model: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 3, 'gen_ai.request.model': 'm' },
  tool: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' },
  chain: { 'openinference.span.kind': 'CHAIN' },
  http: { 'gen_ai.operation.name': undefined, 'http.request.method': 'POST' },
};

/** A span in short: above it is one of those before it, or one that never comes. */
interface Told {
  role: string;
  above: number | undefined;
  start: number;
  took: number | undefined;
  isError: boolean;
  session: string | undefined;
  tag: string | undefined;
}

const aTold: fc.Arbitrary<Told> = fc.record({
  role: fc.constantFrom(...Object.keys(ROLES)),
  above: fc.option(fc.nat(3), { nil: undefined, freq: 3 }),
  start: fc.nat(5),
  took: fc.option(fc.nat(3), { nil: undefined, freq: 8 }),
  isError: fc.boolean(),
  session: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined, freq: 1 }),
  tag: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined, freq: 1 }),
});

const UNKNOWN = 98;
const spanIdOf = (place: number): string => (place + 1).toString(16).padStart(16, '0');

function spanOf(traceId: string, told: Told, place: number): object {
  const { role, above, start, took, isError, session, tag } = told;
  const attributes = { ...ROLES[role], 'session.id': session, 'tag.tags': tag };
  const { attributes: all, ...span } = aSpan(traceId, {
    spanId: spanIdOf(place),
    name: `${role} ${place}`,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: took === undefined ? '0' : nanos(start + took),
    status: isError ? { code: 2, message: `no ${place}` } : {},
    ...(above === undefined ? {} : { parentSpanId: spanIdOf(above < place ? above : UNKNOWN) }),
  });
  const own = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } }],
  );
  const isSaid = (key: string): boolean => Object.hasOwn(attributes, key);
  return { ...span, attributes: [...all.filter(({ key }: { key: string }) => !isSaid(key)), ...own] };
}

/** Places in any order, cut anywhere, some of them twice; the same for the same seed. */
function piecesOf(count: number, seed: number): number[][] {
  const chance = dice(seed);
  const places = Array.from({ length: count }, (_, place) => place);
  const all = [...places, ...places.filter(() => chance() < 0.2)];
  const order = all.map((place) => ({ place, key: chance() })).sort((a, b) => a.key - b.key);
  const cut = chance();
  const pieces: number[][] = [[]];
  for (const { place } of order) {
    if (chance() < cut) pieces.push([]);
    (pieces.at(-1) as number[]).push(place);
  }
  return pieces.filter((piece) => piece.length > 0);
}

describe('traces of OTLP in pieces', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  /** Everything that is shown of the run but what depends on when it came, by the ids of the spans. */
  async function shown(traceId: string): Promise<Row> {
    const { body } = await api.admin.get(`/v1/runs/${runIdOf(traceId)}?include=steps,tool_calls`);
    const { steps, tool_calls, ...run } = body;
    const spanOfStep = new Map(steps.data.map((step: Row) => [step.id, step.external_id]));
    const rows = [...steps.data, ...tool_calls.data].map((row: Row) => ({
      ...row,
      id: row.external_id ?? row.metadata.span_id,
      above: spanOfStep.get(row.parent_step_id ?? row.step_id),
    }));
    const names = ['run_id', 'parent_step_id', 'step_id', 'index', 'created_at', 'updated_at'];
    const kept = (row: Row): Row =>
      JSON.parse(JSON.stringify(row, (k, v) => (names.includes(k) ? undefined : v)));
    return {
      ...kept({ ...run, id: '', external_id: '', metadata: { ...run.metadata, trace_id: '' } }),
      last_event_seq: undefined,
      rows: rows.map(kept).sort((a: Row, b: Row) => (a.id < b.id ? -1 : 1)),
    };
  }

  async function send(traceId: string, trace: readonly Told[], places: readonly number[]): Promise<void> {
    const spans = places.map((place) => spanOf(traceId, trace[place] as Told, place));
    const { status, rejected } = await exportTo(api, spans as never);
    expect([status, rejected]).toEqual([200, 0]);
  }

  it(
    '[O4] [O5] However the spans of a trace are split and ordered, the same run comes of them',
    async () => {
      const traces = fc.array(aTold, { minLength: 2, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(traces, fc.noShrink(fc.integer()), async (trace, seed) => {
          // Without a root it is a guess whose run it is.
          fc.pre(trace.some(({ above }) => above === undefined));
          const [whole, split] = [aTraceId(), aTraceId()];
          await send(whole, trace, [...trace.keys()]);
          for (const piece of piecesOf(trace.length, seed)) await send(split, trace, piece);
          expect(await shown(split)).toEqual(await shown(whole));
        }),
        { numRuns: 60 * EFFORT, endOnFailure: false, interruptAfterTimeLimit: 40_000 * EFFORT },
      );
    },
    90_000 * EFFORT,
  );
});
