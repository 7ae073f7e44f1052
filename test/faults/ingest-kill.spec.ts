import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aCommitProxy, type CommitProxy } from '../support/commit-proxy.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { dice } from '../support/dice.js';
import { EFFORT } from '../support/effort.js';
import { aFolder, type Folder } from '../support/folder.js';
import { aRunEnd, aRunStart } from '../support/items.js';
import { anAdminKey } from '../support/process-keys.js';
import { aStatementProxy } from '../support/statement-proxy.js';
import { theTruth, type Truth } from '../support/truth.js';
import { REPORTER, aBatchOf200, faultsOf } from '../support/whole-batch.js';

/** Each costs the start of an api, some seconds of a processor. */
const KILLS = 50 * EFFORT;
/** Batches that are under way at each kill. */
const AT_ONCE = 4;
/** Processes that are starting meanwhile. */
const AHEAD = 2;
const SEED = randomInt(2 ** 31);

async function post(url: string, key: string, items: unknown): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/ingest`, { method: 'POST', headers, body: JSON.stringify(items) });
  return { status: response.status, text: await response.text() };
}

/** A run's announcement and end, somewhere in its batches. */
const ofRun = (id: string): ReturnType<typeof aRunStart>[] => [
  aRunStart(id, { agent: REPORTER }),
  aRunEnd(id),
];

/** An api that may be killed when it sends a statement. */
interface Victim {
  api: ApiProcess;
  /** The statements that it has sent so far. */
  statements(): number;
  /** Kills it when it sends its next statement but so many. */
  killAfter(statements: number): void;
  end(): Promise<void>;
}

describe('batches whose api is killed', () => {
  const key = anAdminKey();
  let [database, folder]: [TestDatabase?, Folder?] = [];
  let truth: Truth;
  const victims = new Set<Victim>();
  async function aVictim(): Promise<Victim> {
    let left = Infinity;
    const proxy = await aStatementProxy((database as TestDatabase).appUrl, () => {
      if (left-- === 0) api.process.kill('SIGKILL');
    });
    const api = await anApiProcess({
      AGENTFLOW_DATA_DIR: (folder as Folder).path,
      AGENTFLOW_BOOTSTRAP_KEY: key,
      DATABASE_URL: proxy.url,
      AGENTFLOW_MIGRATION_URL: (database as TestDatabase).adminUrl,
      AGENTFLOW_WORKER: 'off',
    });
    const victim: Victim = {
      api,
      statements: proxy.statements,
      killAfter: (statements) => (left = statements),
      end: async () => {
        victims.delete(victim);
        api.process.kill('SIGKILL');
        await api.ended;
        await proxy.close();
      },
    };
    victims.add(victim);
    return victim;
  }
  beforeAll(async () => {
    [database, folder] = [await aDatabase(), aFolder()];
    truth = theTruth(database);
    const { api } = await aVictim();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${api.url}/v1/projects`, { method: 'POST', headers, body: '{"name":"home"}' });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...victims].map((victim) => victim.end()));
    await truth.close();
    await database?.drop();
    folder?.remove();
  });

  it(
    `[I7] What was sent is stored, once, after ${KILLS} kills in the middle of batches (seed ${SEED})`,
    async () => {
      const chance = dice(SEED);
      let [victim] = victims as Iterable<Victim>;
      // Whoever comes next comes up while others are at work; to start takes longer than anything else here.
      const successors = Array.from({ length: AHEAD }, aVictim);
      const successor = (): Promise<Victim> => {
        successors.push(aVictim());
        return successors.shift() as Promise<Victim>;
      };
      let perRound = 0;
      for (let kills = 0; kills < KILLS;) {
        const present = victim as Victim;
        const runIds = Array.from({ length: 3 }, () => randomUUID());
        const batches = Array.from({ length: AT_ONCE }, () => aBatchOf200(runIds));
        batches.forEach((batch, i) =>
          runIds.slice(i, i + 1).forEach((id) => batch.splice(i * 20, 2, ...ofRun(id))),
        );
        const before = present.statements();
        // The first round is left in peace, and tells how many statements there are to be killed at.
        if (perRound > 0) present.killAfter(Math.floor(chance() * perRound));
        let relief: Promise<Victim> | undefined;
        const insist = async (items: unknown): Promise<void> => {
          for (let attempt = 0; attempt < 10; attempt++) {
            const answer = await post((victim as Victim).api.url, key, items).catch(() => undefined);
            if (answer?.status === 200) return;
            if (answer) expect([answer.status, answer.text]).toEqual([503, expect.any(String)]);
            victim = await (relief ??= present.end().then(successor));
          }
          throw new Error('it is never taken');
        };
        await Promise.all(batches.map(insist));
        perRound ||= present.statements() - before;
        present.killAfter(Infinity);
        expect(await faultsOf(truth, batches.flat())).toEqual([]);
        if (relief) kills++;
      }
      await Promise.all(successors);
    },
    60_000 + KILLS * 15_000,
  );
});

describe('batches whose commit is not heard of', () => {
  let [database, proxy, api]: [TestDatabase?, CommitProxy?, TestApi?] = [];
  let truth: Truth;
  beforeAll(async () => {
    database = await aDatabase();
    proxy = await aCommitProxy(database);
    api = await anApi({}, proxy.database);
    truth = theTruth(database);
    await api.admin.post('/v1/projects', { name: 'home' });
  });
  afterAll(async () => {
    await truth.close();
    await api?.close();
    await proxy?.close();
    await database?.drop();
  });

  it('[Z2] They are not acknowledged, and have one effect when they are sent again', async () => {
    const { url, adminKey } = api as TestApi;
    for (let i = 0; i < 20; i++) {
      const run = randomUUID();
      const items = [...ofRun(run), ...aBatchOf200([run])];
      const lostBefore = proxy?.lost();
      proxy?.loseAnswer(1);
      const first = await post(url, adminKey, items);
      expect(proxy?.lost()).toBe((lostBefore as number) + 1);
      expect([first.status, first.text.includes('verdict')]).toEqual([503, false]);
      const again = await post(url, adminKey, items);
      expect([again.status, JSON.parse(again.text).counts.rejected]).toEqual([200, 0]);
      expect(await faultsOf(truth, items)).toEqual([]);
    }
  });
});
