import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../support/client.js';
import { dice } from '../support/dice.js';
import { EFFORT } from '../support/effort.js';
import { at } from '../support/items.js';
import { aReportedSet, type Item } from '../support/model/reported-set.js';
import { sendingOf, shownOf, type Sending } from '../support/model/shown-set.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { aProject } from '../support/things.js';

const TIME_LIMIT_MS = 50_000 * EFFORT;
/** How many batches are under way at once. */
const LANES = 4;

/** A set in batches: shuffled, some items twice, cut anywhere; the same for the same seed. */
function batchesOf(items: readonly Item[], seed: number): Item[][] {
  const chance = dice(seed);
  const all = [...items, ...items.filter(() => chance() < 0.3)];
  const order = all.map((item) => ({ item, key: chance() })).sort((a, b) => a.key - b.key);
  const cut = chance();
  const batches: Item[][] = [[]];
  for (const { item } of order) {
    if (chance() < cut) batches.push([]);
    (batches.at(-1) as Item[]).push(item);
  }
  return batches.filter((batch) => batch.length > 0);
}

const seed = (): fc.Arbitrary<number> => fc.noShrink(fc.integer());

const run = { run_id: 'run0', type: 'run.started', at: at(0), agent: { name: 'a', adapter: 'custom' } };
const step = { run_id: 'run0', id: 'run0step0' };
const start = { ...step, type: 'step.started', at: at(1_000), node: 'n' };
const says = (ms: number, facts: object): Item => ({ ...step, type: 'step.updated', at: at(ms), ...facts });
const moves = (ms: number, members: object): Item => ({
  ...{ run_id: 'run0', type: 'run.moved', at: at(ms) },
  ...members,
});
const ends = { run_id: 'run0', type: 'run.finished', at: at(9_000), status: 'failed' };
const below = { ...start, id: 'run0step1', parent_step_id: 'run0step0', tokens_in: 5 };

/** Small sets whose orders are easily told apart. */
const SUBTLE: Record<string, Item[]> = {
  'a question and an answer of one moment, and the end': [
    run,
    moves(2_000, { status: 'waiting_human', question: 'May I?' }),
    moves(2_000, { status: 'running', input: 'yes' }),
    ends,
  ],
  'a step that begins as pending, and something said of it': [
    run,
    { ...start, status: 'pending' },
    says(2_000, { model: 'm' }),
  ],
  'a fact that is said again after another was': [
    run,
    { ...start, model: 'a' },
    says(2_000, { model: 'b' }),
    says(3_000, { model: 'a' }),
  ],
  'a default that is said at the start, and a fact from before it': [
    run,
    { ...start, retry_count: 0, metadata: {} },
    says(0, { retry_count: 2, metadata: { a: 1 } }),
  ],
  'a step below that had a price for a while': [
    { ...start, cost_usd: 2 },
    { ...below, model: 'gpt-4o' },
    { ...says(2_000, { model: 'nobody-knows' }), id: 'run0step1' },
    run,
  ],
  'nothing said of a step, and of its run': [run, says(2_000, {}), { ...says(2_000, {}), id: 'run0step1' }],
};

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, i) =>
    permutations(list.filter((_other, j) => j !== i)).map((rest) => [one, ...rest]),
  );
}

describe('items in any order', () => {
  let apis: ApiPair;
  beforeAll(async () => {
    apis = await aPairOfApis();
    await aProject(apis.first.admin);
  });
  afterAll(() => apis.close());

  async function post(client: Client, items: readonly Item[]): Promise<void> {
    const { status, text, body } = await client.post('/v1/ingest', items);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    const refused = body.results.filter(({ verdict }: { verdict: string }) => verdict === 'rejected');
    if (refused.length > 0) throw new Error(JSON.stringify(refused));
  }

  async function inOrder(set: readonly Item[]): Promise<Sending> {
    const sending = sendingOf(set);
    await post(apis.first.admin, sending.items);
    return sending;
  }

  async function expectSame(expected: Sending, sending: Sending): Promise<void> {
    const [one, other] = [await shownOf(apis.first.admin, expected), await shownOf(apis.admins[1], sending)];
    expect(one.faults).toEqual([]);
    expect(other.rows).toEqual(one.rows);
    expect(other.faults).toEqual([]);
  }

  it.each(Object.entries(SUBTLE))('[I6] Whatever comes first: %s', async (_what, set) => {
    const expected = await inOrder(set);
    for (const order of permutations(set)) {
      const sending = sendingOf(order);
      for (const item of sending.items) await post(apis.first.admin, [item]);
      await expectSame(expected, sending);
    }
  });

  it(
    '[I6] [O5] Items that are split, repeated and sent in any order come to what they come to in order',
    async () => {
      await fc.assert(
        fc.asyncProperty(aReportedSet(), seed(), async (set, how) => {
          const sending = sendingOf(set);
          for (const batch of batchesOf(sending.items, how)) await post(apis.first.admin, batch);
          await expectSame(await inOrder(set), sending);
        }),
        { numRuns: 40 * EFFORT, endOnFailure: false, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 },
      );
    },
    TIME_LIMIT_MS,
  );

  it(
    '[I6] [O4] They do so when they are sent at once, to two instances',
    async () => {
      await fc.assert(
        fc.asyncProperty(aReportedSet(), seed(), async (set, how) => {
          const sending = sendingOf(set);
          const batches = batchesOf(sending.items, how).values();
          const lane = async (client: Client): Promise<void> => {
            for (const batch of batches) await post(client, batch);
          };
          await Promise.all(Array.from({ length: LANES }, (_, i) => lane(apis.admins[i % 2] as Client)));
          await expectSame(await inOrder(set), sending);
        }),
        { numRuns: 40 * EFFORT, endOnFailure: false, interruptAfterTimeLimit: TIME_LIMIT_MS / 2 },
      );
    },
    TIME_LIMIT_MS,
  );
});
