import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import type { Answer, Client } from '../support/client.js';
import { dice } from '../support/dice.js';
import { aRunEnd, aRunStart, aStepEnd, aStepStart } from '../support/items.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce } from '../support/race.js';
import { theTruth, type Truth } from '../support/truth.js';
import { REPORTER, aBatchOf200, faultsOf } from '../support/whole-batch.js';

const SEED = randomInt(2 ** 31);
const ROUNDS = 50;

interface Counts {
  created: number;
  updated: number;
  duplicate: number;
  rejected: number;
}

describe('batches that meet over two api instances', () => {
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

  const at = (i: number): Client => apis.admins[i % 2] as Client;
  /** Sends until it is taken: what is refused for now is neither kept nor lost. */
  async function insist(i: number, items: unknown): Promise<Answer> {
    for (;;) {
      const answer = await at(i).post('/v1/ingest', items);
      if (answer.status !== 429) {
        expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
        return answer;
      }
    }
  }
  const shuffled = <T>(list: readonly T[], chance: () => number): T[] =>
    list
      .map((one) => ({ one, key: chance() }))
      .sort((a, b) => a.key - b.key)
      .map(({ one }) => one);

  it.each(['known', 'new'])(
    `[I10] 20 batches at once that touch the same %s runs in any order all go through (seed ${SEED})`,
    async (what) => {
      const chance = dice(SEED);
      for (let round = 0; round < ROUNDS; round++) {
        const runs = Array.from({ length: 10 }, () => randomUUID());
        if (what === 'known')
          await insist(
            0,
            runs.map((id) => aRunStart(id, { agent: REPORTER })),
          );
        const batches = Array.from({ length: 20 }, () => {
          const order = shuffled(runs, chance);
          const items = order.flatMap((run) => {
            const id = randomUUID();
            return [aStepStart(run, id, { agent: REPORTER }), aStepEnd(run, id, { tokens_in: 1 })];
          });
          return what === 'known'
            ? items
            : [...items, ...order.map((id) => aRunStart(id, { agent: REPORTER }))];
        });
        const answers = await Promise.all(batches.map((items, i) => insist(i, items)));
        for (const { body } of answers) expect(body.counts.rejected).toBe(0);
        expect(await faultsOf(truth, batches.flat())).toEqual([]);
      }
    },
    180_000,
  );

  it('[I10] Runs that name each other as parents, new and at once, in opposite orders, all go through', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [randomUUID(), randomUUID()];
      const answers = await atOnce(10, (i) =>
        insist(i, [
          i % 2 ? aRunStart(a, { agent: REPORTER, parent_run_id: b }) : aRunStart(b, { agent: REPORTER }),
          i % 2 ? aRunStart(b, { agent: REPORTER }) : aRunStart(a, { agent: REPORTER, parent_run_id: b }),
        ]),
      );
      for (const { body } of answers) expect(body.counts.rejected).toBe(0);
      expect((await at(0).get(`/v1/runs/${a}`)).body.parent_run_id).toBe(b);
    }
  });

  it('[I6] Of a hundred items 90 are kept, 5 are repeats and 5 are refused; sent again, 95 are repeats', async () => {
    const run = randomUUID();
    const valid = [aRunStart(run, { agent: REPORTER }), ...Array.from({ length: 89 }, () => aStepStart(run))];
    const invalid = [
      null,
      {},
      { ...aStepStart(run), node: 5 },
      { ...aStepStart(run), at: 'now' },
      { type: 'x' },
    ];
    const items = [...valid.slice(0, 50), ...invalid, ...valid.slice(50), ...valid.slice(10, 15)];
    const first = (await insist(0, items)).body;
    expect(first.counts).toEqual({ created: 90, updated: 0, duplicate: 5, rejected: 5 });
    expect(first.results.map(({ verdict }: { verdict: string }) => verdict).slice(50, 55)).toEqual(
      Array(5).fill('rejected'),
    );
    expect(await faultsOf(truth, valid)).toEqual([]);
    expect((await insist(1, items)).body.counts).toEqual({
      created: 0,
      updated: 0,
      duplicate: 95,
      rejected: 5,
    });
    expect((await at(1).get(`/v1/runs/${run}`)).body.totals.steps).toBe(89);
  });

  it('[I6] Batches that overlap, at once, lose nothing and double nothing', async () => {
    const run = randomUUID();
    const all = [aRunStart(run, { agent: REPORTER }), ...aBatchOf200([run]), aRunEnd(run)];
    const answers = await atOnce(8, (i) => insist(i, all.slice(i * 20, i * 20 + 100)));
    const counts = answers.map(({ body }) => body.counts as Counts);
    expect(counts.map(({ rejected }) => rejected)).toEqual(counts.map(() => 0));
    await insist(0, all);
    expect((await insist(1, all)).body.counts.duplicate).toBe(all.length);
    expect(await faultsOf(truth, all)).toEqual([]);
  });

  it('[I8] 16 writers of batches on one run, refused items among them, leave no gap and keep their order', async () => {
    const run = randomUUID();
    const writers = await atOnce(16, async (i) => {
      const mine = Array.from({ length: 20 }, () => aStepStart(run, randomUUID(), { agent: REPORTER }));
      for (let n = 0; n < mine.length; n += 4) {
        await insist(i, [...mine.slice(n, n + 4), { ...aStepStart(run), node: 7 }]);
      }
      return mine;
    });
    expect(await faultsOf(truth, writers.flat())).toEqual([]);
    const rows = await truth.query('SELECT id, index FROM steps WHERE run_id = $1', [run]);
    const indexOf = new Map(rows.map(({ id, index }) => [id, index as number]));
    for (const mine of writers) {
      const indexes = mine.map(({ id }) => indexOf.get(id) as number);
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
    }
  });
});
