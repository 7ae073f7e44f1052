import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer } from '../support/client.js';
import { atOnce, race } from '../support/race.js';
import { aProject, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const CONNECTIONS = 2;
const REQUESTS = 50;
const ACQUIRE_MS = 500;
const LOCK_MS = 1_500;
/** What a busy machine adds to a time limit. */
const MARGIN_MS = 1_500;

interface Timed {
  readonly answer: Answer;
  readonly tookMs: number;
}

async function timed(send: () => Promise<Answer>): Promise<Timed> {
  const begun = performance.now();
  return { answer: await send(), tookMs: performance.now() - begun };
}

describe('a pool that is exhausted', () => {
  let api: TestApi;
  let truth: Truth;
  let holder: pg.Client;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi({
      AGENTFLOW_POOL_SIZE: String(CONNECTIONS),
      AGENTFLOW_POOL_TIMEOUT_MS: String(ACQUIRE_MS),
      AGENTFLOW_LOCK_TIMEOUT_MS: String(LOCK_MS),
    });
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: api.database.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
  });
  afterEach(() => holder.end());

  const hold = (runIds: string[]) =>
    holder.query('SELECT FROM runs WHERE id = ANY ($1) FOR UPDATE', [runIds]);
  const aStep = (runId: string) => timed(() => api.admin.post(`/v1/runs/${runId}/steps`, { node: 'plan' }));
  const refusals = (outcomes: Timed[]): string[] =>
    outcomes.map(({ answer }) => `${answer.status} ${answer.headers.get('retry-after')}`);
  const longest = (outcomes: Timed[]): number => Math.max(...outcomes.map(({ tookMs }) => tookMs));

  /** Whoever has a connection waits for the lock until the lock's limit; all others only until the pool's. */
  function expectPromptRefusals(outcomes: Timed[]): void {
    expect(new Set(refusals(outcomes))).toEqual(new Set(['503 1']));
    const sorted = outcomes.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    expect(sorted[REQUESTS - CONNECTIONS - 1]).toBeLessThan(ACQUIRE_MS + MARGIN_MS);
    expect(longest(outcomes)).toBeLessThan(ACQUIRE_MS + LOCK_MS + MARGIN_MS);
  }

  async function expectAllWorks(runIds: string[]): Promise<void> {
    await holder.query('ROLLBACK');
    await race(REQUESTS, async (i) => {
      expect((await aStep(runIds[i % runIds.length] as string)).answer.status).toBe(201);
    });
    expect(await truth.count('steps', 'run_id = ANY ($1)', [runIds])).toBe(REQUESTS);
    const busy = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agentflow test' AND state <> 'idle'`;
    expect((await truth.query(busy))[0].count).toBe(0);
  }

  it('[Z5] Fifty writes to fifty runs that somebody holds are refused with 503 in time, and work when they are free', async () => {
    const runs = await atOnce(REQUESTS, () => aRunningRun(api.admin, { agent_id }));
    const ids = runs.map(({ id }) => id as string);
    await hold(ids);
    expectPromptRefusals(await atOnce(REQUESTS, (i) => aStep(ids[i] as string)));
    await expectAllWorks(ids);
  });

  it('[Z5] Fifty changes that take a connection each are refused with 503 in time, and work when they are free', async () => {
    const projects = await atOnce(REQUESTS, () => aProject(api.admin));
    const rename = (id: string) =>
      timed(() => api.admin.patch(`/v1/projects/${id}`, { description: 'changed' }));
    await holder.query('SELECT FROM projects FOR UPDATE');
    expectPromptRefusals(await atOnce(REQUESTS, (i) => rename(projects[i].id)));
    await holder.query('ROLLBACK');
    await race(REQUESTS, async (i) => expect((await rename(projects[i].id)).answer.status).toBe(200));
  });
});

describe('a pool of one connection', () => {
  let api: TestApi;
  beforeAll(async () => {
    // Whoever waited for a second connection would wait for longer than the test may take.
    api = await anApi({ AGENTFLOW_POOL_SIZE: '1', AGENTFLOW_POOL_TIMEOUT_MS: '60000' });
  });
  afterAll(() => api.close());

  it('[Z5] Nothing needs a second connection while it has one: all of fifty requests at once work', async () => {
    const { id, project_id } = await aRunningRun(api.admin);
    const outcomes = await atOnce(REQUESTS, async (i) => {
      const key = { 'idempotency-key': `${id} ${i}` };
      const agent = { name: `a ${i}`, adapter: 'custom' };
      const { status } =
        i % 2 === 0
          ? await api.admin.post('/v1/runs', { agent, project_id }, key)
          : await api.admin.get(`/v1/runs/${id}?include=steps,messages,tool_calls,checkpoints`);
      return status;
    });
    expect(new Set(outcomes)).toEqual(new Set([200, 201]));
  });
});
