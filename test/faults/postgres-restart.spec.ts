import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient, type Client } from '../support/client.js';
import { EFFORT } from '../support/effort.js';
import { aFolder, type Folder } from '../support/folder.js';
import { aPostgresOfItsOwn, type OwnPostgres } from '../support/own-postgres.js';
import { anAdminKey } from '../support/process-keys.js';
import { anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { writersOn, type Acknowledged, type Writers } from '../support/writers.js';

const RESTARTS = EFFORT > 1 ? 5 : 3;
const WRITERS = 8;
/** A request waits for a connection and for a statement, and each has its limit. */
const LONGEST_MS = 8_000;
const BACK_WITHIN_MS = 10_000;

describe('a Postgres that ends at once, under load', () => {
  let postgres: OwnPostgres;
  let folder: Folder;
  let api: ApiProcess;
  let client: Client;
  let truth: Truth;
  beforeAll(async () => {
    [postgres, folder] = [await aPostgresOfItsOwn(), aFolder()];
    const key = anAdminKey();
    api = await anApiProcess({
      DATABASE_URL: postgres.database.appUrl,
      AGENTFLOW_MIGRATION_URL: postgres.database.adminUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_BOOTSTRAP_KEY: key,
      AGENTFLOW_DATA_DIR: folder.path,
    });
    client = aClient(api.url, key);
    truth = theTruth(postgres.database);
  }, 60_000);
  afterAll(async () => {
    await api.stop();
    await truth.close();
    await postgres.discard();
    folder.remove();
  });

  /** Asks until the process says so; the test's own limit ends it otherwise. */
  async function readyTurns(status: number): Promise<number> {
    for (const begun = performance.now(); ;) {
      if ((await client.get('/readyz')).status === status) return performance.now() - begun;
    }
  }

  async function restart(writers: Writers): Promise<void> {
    await writers.acknowledge(50);
    await postgres.stopAtOnce();
    await Promise.all([writers.refuse(WRITERS), readyTurns(503)]);
    await postgres.startAgain();
    expect(await readyTurns(200)).toBeLessThan(BACK_WITHIN_MS);
    await writers.acknowledge(50);
  }

  /** What is not stored exactly once. */
  async function notOnce(written: readonly Acknowledged[]): Promise<Acknowledged[]> {
    const stored = (kind: Acknowledged['kind'], column: string): Promise<{ mark: string; times: number }[]> =>
      truth.query(`SELECT ${column} AS mark, count(*)::integer AS times FROM ${kind}s GROUP BY 1`);
    const steps = await stored('step', 'id::text');
    const messages = await stored('message', 'content');
    const times = new Map([...steps, ...messages].map((row) => [row.mark, row.times]));
    return written.filter(({ mark }) => times.get(mark) !== 1);
  }

  it('[Z3] No request fails otherwise than with 503 and a time to come back, none hangs, and every acknowledged write is stored once', async () => {
    const writers = await writersOn(client, (await anAgent(client)).id, WRITERS);
    for (let i = 0; i < RESTARTS; i++) await restart(writers);
    await writers.stop();

    const refused = writers.outcomes.filter(({ status }) => status >= 300);
    expect(new Set(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['503 1']),
    );
    expect(Math.max(...writers.outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(LONGEST_MS);
    expect(await notOnce(writers.acknowledged)).toEqual([]);
    const indexes = `SELECT run_id FROM (
      SELECT run_id, index, row_number() OVER (PARTITION BY run_id ORDER BY index) - 1 AS place FROM steps) AS counted
      WHERE index <> place`;
    expect(await truth.query(indexes)).toEqual([]);

    expect(api.process.exitCode).toBeNull();
    const faults = api
      .output()
      .stdout.split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    expect(faults).toEqual([]);
  }, 120_000);
});
