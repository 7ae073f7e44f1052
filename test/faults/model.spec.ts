import { RUN_COMMANDS } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../support/client.js';
import { EFFORT } from '../support/effort.js';
import { aRealRun, perform, type RealRun } from '../support/model/real-run.js';
import { BEGINNING, KINDS, apply, type Action, type Seen, type State } from '../support/model/run-model.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const SEQUENCES = 300 * EFFORT;
const TIME_LIMIT_MS = 45_000 * EFFORT;

/** The states that the run can be in, as far as the answers tell: what is done at once has two orders. */
interface Model {
  states: State[];
}
interface Real {
  clients: readonly [Client, Client];
  run: RealRun;
}

const text = (action: Action): string => Object.values(action).join(' ');

/** One client acts while the other one is still. */
class Alone implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly client: 0 | 1,
    private readonly action: Action,
  ) {}

  check = (): boolean => true;

  async run(model: Model, { clients, run }: Real): Promise<void> {
    const answer = await perform(clients[this.client], run, this.action);
    const outcomes = model.states.map((state) => apply(state, this.action));
    model.states = agreeing(outcomes, [answer], ([expected, next]) => [[expected], next]);
  }

  toString = (): string => `client ${this.client}: ${text(this.action)}`;
}

/** Both clients act at once; what comes of it is what one order of the two would have made. */
class Together implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly first: Action,
    private readonly second: Action,
  ) {}

  check = (): boolean => true;

  async run(model: Model, { clients, run }: Real): Promise<void> {
    const answers = await Promise.all([
      perform(clients[0], run, this.first),
      perform(clients[1], run, this.second),
    ]);
    const outcomes = model.states.flatMap((state) => this.bothOrders(state));
    model.states = agreeing(outcomes, answers, (outcome) => outcome);
  }

  private bothOrders(state: State): [Seen[], State][] {
    const [first, afterFirst] = apply(state, this.first);
    const [second, afterBoth] = apply(afterFirst, this.second);
    const [secondEarly, afterSecond] = apply(state, this.second);
    const [firstLate, afterBothToo] = apply(afterSecond, this.first);
    return [
      [[first, second], afterBoth],
      [[firstLate, secondEarly], afterBothToo],
    ];
  }

  toString = (): string => `at once: ${text(this.first)} | ${text(this.second)}`;
}

/** The states that are left once the answers are known; there has to be one. */
function agreeing<T>(outcomes: T[], answers: Seen[], read: (outcome: T) => [Seen[], State]): State[] {
  const all = outcomes.map(read);
  const left = all.filter(([expected]) => isDeepStrictEqual(expected, answers)).map(([, next]) => next);
  if (left.length === 0) expect(answers).toEqual(all[0]?.[0]);
  return left.filter((state, i) => left.findIndex((other) => isDeepStrictEqual(other, state)) === i);
}

const slot = fc.nat(1);
const variant = fc.constantFrom(0 as const, 1 as const);
const anAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      command: fc.constantFrom(...RUN_COMMANDS),
      variant,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('add' as const), kind: fc.constantFrom(...KINDS), slot, variant }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{
        do: fc.constant('complete' as const),
        kind: fc.constantFrom('step' as const, 'tool_call' as const),
      },
      ...{ slot, variant },
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), isHolder: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'show' as const }) },
);
const aCommand = [
  fc
    .tuple(fc.constantFrom(0 as const, 1 as const), anAction)
    .map(([client, action]) => new Alone(client, action)),
  fc.tuple(anAction, anAction).map(([first, second]) => new Together(first, second)),
];
/** Short sequences, which are quick and easy to read when they fail, and as many of up to 40 commands. */
const someCommands = fc.oneof(
  fc.commands<Model, Real, false>(aCommand, { maxCommands: 40, size: 'small' }),
  fc.commands<Model, Real, false>(aCommand, { maxCommands: 40, size: 'medium' }),
);

describe('runs against a model of them', () => {
  let apis: ApiPair;
  let truth: Truth;
  let agentId: string;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
    agentId = (await anAgent(apis.first.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  it(
    '[S8] [S7] Two clients at two instances, alone and at once, see and leave what a plain table would',
    async () => {
      await fc.assert(
        fc.asyncProperty(someCommands, async (commands) => {
          const real: Real = { clients: apis.admins, run: await aRealRun(apis.admins[0], agentId) };
          const model: Model = { states: [BEGINNING] };
          await fc.asyncModelRun(() => ({ model, real }), commands);
          const told = await truth.told(real.run.id);
          expect(model.states.map(({ events }) => events)).toContainEqual(told);
          const [{ status = undefined } = {}] = await truth.query('SELECT status FROM runs WHERE id = $1', [
            real.run.id,
          ]);
          const expected = model.states.map((state) => (state.isDeleted ? undefined : state.status));
          expect(expected).toContain(status);
        }),
        { numRuns: SEQUENCES, interruptAfterTimeLimit: TIME_LIMIT_MS, markInterruptAsFailure: false },
      );
    },
    TIME_LIMIT_MS + 30_000,
  );
});
