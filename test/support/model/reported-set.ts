import fc from 'fast-check';
import { at } from '../items.js';

/*
 * Sets of items that agree with each other: each thing is announced and ended once at most. Things have names in the
 * place of ids, so that one set can be sent many times, as other runs.
 */

export type Item = Record<string, unknown> & { type: string; run_id: string };

/** Few moments, so that many things happen in the same one. */
const moment = fc.integer({ min: 0, max: 8 }).map((n) => at(n * 1_000));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 1 });
const json = fc.constantFrom<unknown>(null, 0, 1, 'a', 'b', [], {}, { a: 1 }, { b: [null] });
const object = fc.constantFrom<object>({}, { a: 1 }, { a: 2 }, { b: { c: 1.5 } });
const error = fc.constantFrom('it broke', 'too late');

const facts = fc.record(
  {
    output: json,
    error,
    error_type: fc.constantFrom('Broken', 'Late'),
    tokens_in: fc.constantFrom(0, 1, 9, 10, 1_000_000_007),
    tokens_out: fc.constantFrom(0, 2, 100),
    token_details: fc.constantFrom({}, { cache_read_tokens: 1 }, { reasoning_tokens: 2 }),
    cost_usd: fc.constantFrom<number | string>(0, 0.1, '0.0000000123', '2.5'),
    model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'nobody-knows'),
    provider: fc.constantFrom('openai', 'azure'),
    retry_count: fc.constantFrom(0, 1, 2),
    metadata: object,
  },
  { requiredKeys: [] },
);

const step = fc.record({
  parent: maybe(fc.nat(7)),
  start: maybe(
    fc.record({
      at: moment,
      status: maybe(fc.constantFrom('pending', 'running')),
      kind: maybe(fc.constantFrom('llm', 'chain')),
      input: maybe(json),
      facts,
    }),
  ),
  updates: fc.array(
    fc.record({
      at: moment,
      status: maybe(fc.constantFrom('pending', 'running', 'retrying')),
      facts,
    }),
    { maxLength: 3, size: 'max' },
  ),
  end: maybe(
    fc.record({
      at: moment,
      status: maybe(fc.constantFrom('succeeded', 'failed', 'skipped', 'cancelled')),
      latency_ms: maybe(fc.constantFrom(0, 7)),
      facts,
    }),
  ),
});

const call = fc.record({
  step: maybe(fc.nat(7)),
  start: maybe(fc.record({ at: moment, arguments: maybe(json), metadata: maybe(object) })),
  end: maybe(
    fc.record({
      at: moment,
      status: maybe(fc.constantFrom('succeeded', 'failed', 'cancelled')),
      result: maybe(json),
      error: maybe(error),
      latency_ms: maybe(fc.constantFrom(0, 7)),
      metadata: maybe(object),
    }),
  ),
});

const run = fc.record({
  parent: maybe(fc.nat(2)),
  hint: fc.boolean(),
  start: fc.record({
    at: moment,
    name: maybe(fc.constant('a run')),
    input: maybe(json),
    metadata: maybe(object),
    tags: maybe(fc.constantFrom(['x'], ['y', 'z'])),
    session_id: maybe(fc.constant('session')),
    adapter: maybe(fc.constant('other')),
    isNamedElsewhere: fc.boolean(),
  }),
  moves: fc.array(
    fc.oneof(
      fc.record({
        at: moment,
        status: fc.constant('waiting_human'),
        question: maybe(fc.constantFrom('May I?', 'Shall I?')),
        payload: maybe(json),
      }),
      fc.record({ at: moment, status: fc.constant('running'), input: maybe(json) }),
    ),
    { maxLength: 4, size: 'max' },
  ),
  end: maybe(
    fc.record({
      at: moment,
      status: fc.constantFrom('succeeded', 'failed', 'cancelled'),
      output: maybe(json),
      error: maybe(error),
    }),
  ),
  steps: fc.array(step, { maxLength: 6, size: 'max' }),
  calls: fc.array(call, { maxLength: 3 }),
  messages: fc.array(fc.record({ at: moment, step: maybe(fc.nat(7)), content: maybe(fc.constant('Hi')) }), {
    maxLength: 3,
  }),
  checkpoints: fc.array(fc.record({ at: moment, step: maybe(fc.nat(7)), state: json }), { maxLength: 3 }),
});

const AGENT = { name: 'reporter', adapter: 'custom', config: { model: 'm' } };

/** The items of a set, in the order in which things happened. */
export const aReportedSet = (): fc.Arbitrary<Item[]> =>
  fc.array(run, { minLength: 1, maxLength: 3, size: 'max' }).map((runs) => runs.flatMap(itemsOf));

type Plan = typeof run extends fc.Arbitrary<infer T> ? T : never;

function itemsOf(plan: Plan, n: number): Item[] {
  const of = { run_id: `run${n}`, ...(plan.hint ? { agent: AGENT } : {}) };
  const { isNamedElsewhere, ...start } = plan.start;
  const stepName = (i: number): string => `run${n}step${i}`;
  // A step hangs below an earlier one, or below one that nobody ever tells of.
  const parentOf = (parent: number | undefined, i: number): object =>
    parent === undefined ? {} : { parent_step_id: stepName(parent < i ? parent : 7) };
  const inStep = (i: number | undefined): object => (i === undefined ? {} : { step_id: stepName(i) });
  const items: unknown[] = [
    {
      ...of,
      ...start,
      type: 'run.started',
      agent: AGENT,
      ...(isNamedElsewhere ? { external_id: `elsewhere${n}` } : {}),
      ...(plan.parent === undefined || plan.parent >= n ? {} : { parent_run_id: `run${plan.parent}` }),
    },
    ...plan.steps.flatMap(({ parent, start: begun, updates, end }, i) => {
      const one = { ...of, id: stepName(i) };
      const say = (type: string, { facts: said, ...rest }: { facts: object }): object => ({
        ...{ ...one, type, ...rest, ...said },
      });
      return [
        ...(begun ? [{ ...say('step.started', begun), node: `node ${i}`, ...parentOf(parent, i) }] : []),
        ...updates.map((update) => say('step.updated', update)),
        ...(end ? [say('step.finished', end)] : []),
      ];
    }),
    ...plan.calls.flatMap(({ step: inside, start: begun, end }, i) => {
      const one = { ...of, id: `run${n}call${i}` };
      return [
        ...(begun
          ? [{ ...one, ...begun, type: 'tool_call.started', name: 'search', ...inStep(inside) }]
          : []),
        ...(end ? [{ ...one, ...end, type: 'tool_call.completed' }] : []),
      ];
    }),
    ...plan.messages.map(({ step: inside, ...message }, i) => ({
      ...{ ...of, ...message, type: 'message', id: `run${n}message${i}`, role: 'user', ...inStep(inside) },
    })),
    ...plan.checkpoints.map(({ step: inside, ...checkpoint }, i) => ({
      ...{ ...of, ...checkpoint, type: 'checkpoint', id: `run${n}checkpoint${i}`, ...inStep(inside) },
    })),
    ...plan.moves.map((move) => ({ ...of, ...move, type: 'run.moved' })),
    ...(plan.end ? [{ ...of, ...plan.end, type: 'run.finished' }] : []),
  ];
  return items as Item[];
}
