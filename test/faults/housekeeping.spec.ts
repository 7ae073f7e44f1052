import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { anAgent, anOrganization } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { housekeepers, roundsOf } from '../support/workers.js';

/** More than two batches. */
const MANY = 2_500;

describe('housekeeping', () => {
  let api: TestApi;
  let truth: Truth;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const tidy = async () => (await roundsOf(api.database, housekeepers()))[0];

  /** Copies of the one row that the condition finds, all of them so old. */
  const copies = (table: string, key: string, place: string, time: string, where: string, age: string) =>
    truth.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(one,
         jsonb_build_object('${key}', ${place}, '${time}', now() - $1::interval))).*
       FROM ${table} AS one, generate_series(1, ${MANY}) AS n WHERE ${where}`,
      [age],
    );

  /** A tenant with a kept answer and a tombstone, which are as old as is said. */
  async function aTenantWith(age: string): Promise<{ key: string; runId: string; admin: TestApi['admin'] }> {
    const admin = api.as((await anOrganization(api.root)).api_key.key);
    const { id: agent_id } = await anAgent(admin);
    const key = randomUUID();
    const run = await admin.post('/v1/runs', { agent_id }, { 'idempotency-key': key });
    await admin.delete(`/v1/runs/${run.body.id}?force=true`);
    await truth.query('UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1', [
      key,
      age,
    ]);
    await truth.query('UPDATE deleted_runs SET deleted_at = now() - $2::interval WHERE run_id = $1', [
      run.body.id,
      age,
    ]);
    return { key, runId: run.body.id, admin };
  }
  const left = async ({ key, runId }: { key: string; runId: string }) => [
    await truth.count('idempotency_keys', 'key = $1', [key]),
    await truth.count('deleted_runs', 'run_id = $1', [runId]),
  ];

  it('The worker’s own role forgets what is older than a day, of every tenant, and nothing that is not', async () => {
    const [old, older, young] = [
      await aTenantWith('24:01'),
      await aTenantWith('400 days'),
      await aTenantWith('23:59'),
    ];
    expect(await tidy()).toEqual({ keys: 2, tombstones: 2, deletions: 0, traces: 0 });
    expect([await left(old), await left(older), await left(young)]).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
    expect((await young.admin.get(`/v1/runs/${young.runId}`)).status).toBe(404);
    expect(await tidy()).toEqual({ keys: 0, tombstones: 0, deletions: 0, traces: 0 });
  });

  it.each([1, 2])(
    'More than a batch goes in one round, and %i at work do it once and without complaint',
    async (count) => {
      const one = await aTenantWith('2 days');
      await copies('idempotency_keys', 'key', `'k' || n`, 'created_at', `key = '${one.key}'`, '2 days');
      await copies(
        'deleted_runs',
        'run_id',
        'gen_random_uuid()',
        'deleted_at',
        `run_id = '${one.runId}'`,
        '2 days',
      );
      const rounds = await roundsOf(api.database, housekeepers(count));
      const sum = (figure: 'keys' | 'tombstones') =>
        rounds.reduce((total, round) => total + round[figure], 0);
      expect([sum('keys'), sum('tombstones')]).toEqual([MANY + 1, MANY + 1]);
      expect(await truth.count('idempotency_keys', `created_at < now() - interval '1 day'`, [])).toBe(0);
    },
  );

  it('[I5] A key that is used again just as it is forgotten stays, and is answered from', async () => {
    const { key, admin } = await aTenantWith('2 days');
    const { id: agent_id } = await anAgent(admin);
    const again = new pg.Client({ connectionString: api.database.adminUrl });
    await again.connect();
    // As `take-claim` does, in a transaction that has not ended.
    await again.query('BEGIN');
    await again.query('UPDATE idempotency_keys SET created_at = now() WHERE key = $1', [key]);
    const round = tidy();
    const waits = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agentflow test worker' AND wait_event_type = 'Lock'`;
    for (let waiting = 0; waiting === 0;) waiting = (await truth.query(waits))[0].count;
    await again.query('COMMIT');
    await again.end();
    expect(await round).toMatchObject({ keys: 0 });
    expect(await truth.count('idempotency_keys', 'key = $1', [key])).toBe(1);
    expect((await admin.post('/v1/runs', { agent_id }, { 'idempotency-key': key })).status).toBe(422);
  });
});
