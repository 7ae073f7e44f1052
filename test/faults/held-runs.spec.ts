import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { atOnce } from '../support/race.js';
import { aRunningRun, anAgent } from '../support/things.js';

const REQUESTS = 50;
const ACQUIRE_MS = 500;
const LOCK_MS = 1_500;
/** What a busy machine adds to a time limit. */
const MARGIN_MS = 1_500;

describe('runs that somebody holds', () => {
  let api: TestApi;
  let holder: pg.Client;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi({
      AGENTFLOW_POOL_TIMEOUT_MS: String(ACQUIRE_MS),
      AGENTFLOW_LOCK_TIMEOUT_MS: String(LOCK_MS),
    });
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: api.database.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
  });
  afterEach(() => holder.end());

  async function aHeldRun(): Promise<string> {
    const { id } = await aRunningRun(api.admin, { agent_id });
    await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [id]);
    return id;
  }

  async function aStep(runId: string): Promise<{ status: number; tookMs: number }> {
    const begun = performance.now();
    const { status } = await api.admin.post(`/v1/runs/${runId}/steps`, { node: 'plan' });
    return { status, tookMs: performance.now() - begun };
  }

  it('[Z5] Fifty writes to one of them are each refused with 503 in time, and not one after the other', async () => {
    const id = await aHeldRun();
    const outcomes = await atOnce(REQUESTS, () => aStep(id));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...outcomes.map(({ tookMs }) => tookMs))).toBeLessThan(ACQUIRE_MS + LOCK_MS + MARGIN_MS);
  }, 120_000);

  it('[Z5] They keep only their own writers waiting: other runs of the organization are written to meanwhile', async () => {
    const free = await aRunningRun(api.admin, { agent_id });
    const held = [];
    for (let i = 0; i < 4; i++) held.push(await aHeldRun());
    const stuck = [];
    for (const id of held) {
      stuck.push(aStep(id));
      // Each is under way before the next arrives.
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'agentflow test' AND wait_event_type = 'Lock'`;
      for (const end = performance.now() + 200; performance.now() < end;) {
        const other = new pg.Client({ connectionString: api.database.adminUrl });
        await other.connect();
        const count = (await other.query(waiting)).rowCount ?? 0;
        await other.end();
        if (count >= stuck.length) break;
      }
    }
    const meanwhile = await aStep(free.id);
    expect(meanwhile.status).toBe(201);
    expect(meanwhile.tookMs).toBeLessThan(LOCK_MS / 2);
    await Promise.all(stuck);
  });
});
