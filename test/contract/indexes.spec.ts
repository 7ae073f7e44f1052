import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BulkActionRunner, ApprovalWatch, Housekeeper, LeaseWatch, type RoundsLog } from '@agentflow/core';
import { DEFAULT_LIMITS, WORKER_ROLE, connect, type Database } from '@agentflow/database';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import { connected, type TestDatabase } from '../support/database.js';
import { untilEventsAreSettled } from '../support/settled-events.js';
import { openStream } from '../support/streams.js';
import { aCrowd } from '../support/plans/crowd.js';
import { aMiddle, keysAt, type Keys, type Middle } from '../support/plans/middle.js';
import {
  aPlanRecorder,
  anExplainedDatabase,
  planning,
  type PlanRecorder,
} from '../support/plans/plan-recorder.js';
import type { Plan } from '../support/plans/plan.js';

/** The indexes that are promised by name. */
const DOCUMENTED = [
  ...['uq_projects_tenant_name', 'ix_projects_tenant_id', 'uq_agents_tenant_name', 'ix_agents_tenant_id'],
  ...['ix_agents_project_id', 'uq_agent_versions_agent_version', 'ix_agent_versions_agent_id'],
  ...[
    'ix_runs_tenant_id',
    'ix_runs_project_id',
    'ix_runs_tenant_created',
    'ix_runs_status',
    'ix_runs_agent_id',
  ],
  ...['ix_steps_run_index', 'ix_messages_run_index', 'ix_tool_calls_step', 'ix_checkpoints_run_index'],
];

type Who = keyof Keys;
const EVERYBODY: Who[] = ['organization', 'project', 'agent'];

/** The lists that an index exists for: who asks, and for what. */
const LISTS: [index: string, who: Who[], path: (middle: Middle) => string][] = [
  ['ix_projects_tenant_id', ['organization'], () => '/v1/projects'],
  ['ix_agents_tenant_id', ['organization'], () => '/v1/agents'],
  ['ix_agents_project_id', ['organization', 'project'], (m) => `/v1/agents?project_id=${m.projectId}`],
  ['ix_agents_project_id', ['project'], () => '/v1/agents'],
  ['ix_agent_versions_agent_id', EVERYBODY, (m) => `/v1/agents/${m.agentId}/versions`],
  ['ix_runs_tenant_created', ['organization'], () => '/v1/runs'],
  ['ix_runs_tenant_id', ['organization'], () => '/v1/runs?adapter=ai-sdk'],
  ['ix_runs_project_id', ['organization'], (m) => `/v1/runs?project_id=${m.projectId}`],
  ['ix_runs_project_id', ['project'], () => '/v1/runs'],
  ['ix_runs_status', ['organization'], () => '/v1/runs?status=failed'],
  ['ix_runs_status', ['organization'], () => '/v1/runs?status=running,waiting_human'],
  ['ix_runs_agent_id', ['organization', 'project'], (m) => `/v1/runs?agent_id=${m.agentId}`],
  ['ix_runs_agent_id', ['agent'], () => '/v1/runs'],
  ['ix_steps_run_index', EVERYBODY, (m) => `/v1/runs/${m.runId}/steps`],
  ['ix_steps_run_index', EVERYBODY, (m) => `/v1/runs/${m.runId}/steps?order=desc`],
  ['ix_messages_run_index', EVERYBODY, (m) => `/v1/runs/${m.runId}/messages`],
  ['ix_tool_calls_step', EVERYBODY, (m) => `/v1/runs/${m.runId}/tool-calls?step_id=${m.stepId}`],
  ['ix_checkpoints_run_index', EVERYBODY, (m) => `/v1/runs/${m.runId}/checkpoints`],
  ['ix_approvals_status', ['organization'], () => '/v1/approvals?status=pending'],
  ['ix_approvals_status', ['organization'], () => '/v1/approvals'],
  ['ix_approvals_project', ['project'], () => '/v1/approvals?status=pending'],
  ['ix_approvals_project', ['organization'], (m) => `/v1/approvals?status=pending&project_id=${m.projectId}`],
  ['ix_approvals_agent', ['agent'], () => '/v1/approvals?status=pending'],
  ['ix_approvals_agent', ['organization', 'project'], (m) => `/v1/approvals?agent_id=${m.agentId}`],
  ['ix_approvals_run', EVERYBODY, (m) => `/v1/approvals?status=approved&run_id=${m.runId}`],
  ['ix_approvals_assignee', ['organization'], () => '/v1/approvals?status=pending&assignee=desk%203'],
  ['ix_audit_log_at', ['organization'], () => '/v1/audit-log'],
  ['ix_audit_log_project', ['project'], () => '/v1/audit-log'],
  ['ix_audit_log_project', ['organization'], (m) => `/v1/audit-log?project_id=${m.projectId}`],
  ['ix_audit_log_agent', ['agent'], () => '/v1/audit-log'],
  ['ix_audit_log_agent', ['organization', 'project'], (m) => `/v1/audit-log?agent_id=${m.agentId}`],
  ['ix_audit_log_entity', ['organization'], (m) => `/v1/audit-log?entity_id=${m.runId}`],
  ['ix_audit_log_key', ['organization'], (m) => `/v1/audit-log?actor_key_id=${m.keyId}`],
  ['ix_audit_log_action', ['organization'], () => '/v1/audit-log?action=run.deleted'],
  ['ix_audit_log_action', ['organization'], () => '/v1/audit-log?entity_type=run'],
  ['ix_bulk_actions_tenant', ['organization'], () => '/v1/bulk-actions'],
  ['ix_bulk_actions_project', ['project'], () => '/v1/bulk-actions'],
  ['ix_bulk_actions_agent', ['agent'], () => '/v1/bulk-actions'],
];

/** What is unique by an index of its own name. */
const UNIQUE: [index: string, table: string][] = [
  ['uq_projects_tenant_name', 'projects'],
  ['uq_agents_tenant_name', 'agents'],
  ['uq_agent_versions_agent_version', 'agent_versions'],
  ['ix_steps_run_index', 'steps'],
  ['ix_messages_run_index', 'messages'],
  ['ix_checkpoints_run_index', 'checkpoints'],
];

/** What reads one thing, however much there is beside it. */
const LOOK_UPS: [what: string, ask: (client: Client, middle: Middle) => Promise<Answer>][] = [
  ['reading a run', (client, m) => client.get(`/v1/runs/${m.runId}`)],
  ['reading an agent', (client, m) => client.get(`/v1/agents/${m.agentId}`)],
  ['reading a version', (client, m) => client.get(`/v1/agents/${m.agentId}/versions/1`)],
  ['reading a step', (client, m) => client.get(`/v1/runs/${m.runId}/steps/${m.stepId}`)],
  ['reading a checkpoint', (client, m) => client.get(`/v1/runs/${m.runId}/checkpoints/1700`)],
  ['reading the latest checkpoint', (client, m) => client.get(`/v1/runs/${m.runId}/checkpoints/latest`)],
  ['retrying a run', (client, m) => client.post(`/v1/runs/${m.runId}/retry`)],
  ['forking a run', (client, m) => client.post(`/v1/runs/${m.runId}/checkpoints/1700/fork`)],
  [
    'reporting a step',
    (client, m) => client.post(`/v1/runs/${m.runId}/steps`, { node: 'x', parent_step_id: m.stepId }),
  ],
  [
    'changing a step',
    (client, m) => client.patch(`/v1/runs/${m.runId}/steps/${m.stepId}`, { status: 'running' }),
  ],
];

const PAGE = 20;
const MODES = ['custom', 'generic'] as const;

interface Explained {
  readonly api: TestApi;
  readonly keys: Keys;
  readonly plans: PlanRecorder;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How the requests are written in titles. */
const SPELLED: Middle = {
  ...{ tenantId: '', agentName: '' },
  ...{ projectId: ':project_id', agentId: ':agent_id', runId: ':run_id', stepId: ':step_id' },
  keyId: ':key_id',
};

const tableOf = (index: string): string =>
  [
    ...['agent_versions', 'tool_calls', 'projects', 'agents', 'runs', 'steps', 'messages', 'checkpoints'],
    ...['audit_log', 'approvals', 'bulk_actions'],
  ].find((table) => index.slice('ix_'.length).startsWith(table)) as string;

describe('the documented indexes, with 100,000 runs', () => {
  let database: TestDatabase;
  let first: TestApi;
  let middle: Middle;
  /** An api whose statements are planned for their values, and one whose are planned for any values. */
  const apis: Partial<Record<(typeof MODES)[number], Explained>> = {};

  beforeAll(async () => {
    database = await anExplainedDatabase();
    first = await anApi({}, database);
    middle = await aMiddle(first);
    await connected(database.adminUrl, async (client) => {
      await client.query('SET auto_explain.log_min_duration = -1');
      await aCrowd(client, middle);
      await client.query('ANALYZE');
    });
    for (const mode of MODES) {
      const api = await anApi({ AGENTFLOW_POOL_SIZE: '1' }, planning(database, mode));
      apis[mode] = { api, keys: await keysAt(api, first.admin, middle), plans: aPlanRecorder(api) };
    }
  }, 120_000);
  afterAll(async () => {
    await first.close();
    for (const { api } of Object.values(apis)) await api.close();
    await database.drop();
  });

  /** The page after some others, which has to be as cheap as the first. */
  async function laterPage(mode: (typeof MODES)[number], who: Who, path: string): Promise<Plan[]> {
    const { keys, plans } = apis[mode] as Explained;
    const limited = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`;
    let address = limited;
    for (let page = 0; page < 3; page++) {
      const { status, body } = await keys[who].get(address);
      expect([address, status, body.data.length]).toEqual([address, 200, PAGE]);
      address = `${limited}&cursor=${body.next_cursor}`;
    }
    return plans.during(async () => expect((await keys[who].get(address)).status).toBe(200));
  }

  /** What the worker asks, over a connection of its own. */
  async function plansOfWorker(
    work: (worker: Database, log: RoundsLog) => Promise<unknown>,
  ): Promise<Plan[]> {
    const worker = await connect({
      ...{ url: database.workerUrl, role: WORKER_ROLE, size: 1, acquireTimeoutMs: 2_000 },
      applicationName: 'agentflow test worker',
      limits: DEFAULT_LIMITS,
    });
    const log = { info: () => undefined, warn: () => undefined };
    const plans = await aPlanRecorder({ connected: worker }).during(() => work(worker.database, log));
    await worker.close();
    return plans;
  }

  it('each of them is there, and there is a test of what it is for', async () => {
    const { rows } = await connected(database.adminUrl, (client) =>
      client.query<{ indexname: string }>(`SELECT indexname FROM pg_indexes WHERE schemaname = 'public'`),
    );
    const names = rows.map(({ indexname }) => indexname);
    expect(DOCUMENTED.filter((index) => !names.includes(index))).toEqual([]);
    const proven = [...LISTS.map(([index]) => index), ...UNIQUE.map(([index]) => index)];
    expect(DOCUMENTED.filter((index) => !proven.includes(index))).toEqual([]);
  });

  it.each(
    LISTS.flatMap(([index, whos, path]) =>
      whos.flatMap((who) => MODES.map((mode) => ({ index, who, mode, path, like: path(SPELLED) }))),
    ),
  )(
    "$index serves the $who key's GET $like, planned as $mode, with no sort, and no more is read than a page",
    async ({ index, who, mode, path }) => {
      const plans = await laterPage(mode, who, path(middle));
      const table = tableOf(index);
      const scans = plans.flatMap((plan) => plan.scans);
      const listing = plans.filter((plan) => plan.scans.some((scan) => scan.index === index));
      expect(scans.filter((scan) => scan.table === table).map((scan) => scan.index)).toContain(index);
      expect(listing).toHaveLength(1);
      expect(listing.flatMap(({ nodes }) => nodes).filter((kind) => /Sort|Seq Scan/.test(kind))).toEqual([]);
      const read = (listing[0] as Plan).scans.filter((scan) => scan.table === table);
      expect(read.map((scan) => scan.index)).toEqual(read.map(() => index));
      // Of several statuses, each list is entered once more than it gives.
      expect(sum(read.map(({ rows }) => rows))).toBeLessThanOrEqual(PAGE + read.length);
      // What a policy asks of the parent it asks of each row at most.
      expect(scans.filter(({ rows }) => rows > PAGE + read.length)).toEqual([]);
    },
  );

  it.each(
    LOOK_UPS.flatMap(([what, ask]) =>
      EVERYBODY.flatMap((who) => MODES.map((mode) => ({ what, who, mode, ask }))),
    ),
  )('$what needs a few rows only, for the $who key, planned as $mode', async ({ ask, who, mode }) => {
    const { keys, plans } = apis[mode] as Explained;
    const all = await plans.during(async () =>
      expect((await ask(keys[who], middle)).status).toBeLessThan(300),
    );
    const scans = all.flatMap((plan) => plan.scans);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter(({ rows, pages }) => rows > 5 || pages > 40)).toEqual([]);
  });

  it('ix_runs_open_traces serves the search for silent traces, and no other run is read', async () => {
    await connected(database.adminUrl, (client) =>
      client.query(
        `UPDATE runs SET from_trace = true, updated_at = now() WHERE id IN (
           SELECT id FROM runs WHERE status = 'running' AND id <> $1 ORDER BY id LIMIT 5)`,
        [middle.runId],
      ),
    );
    const plans = await plansOfWorker((worker, log) => new Housekeeper(worker, log, 60).round());
    const scans = plans.flatMap((plan) => plan.scans).filter(({ table }) => table === 'runs');
    expect(scans.map(({ index, rows }) => [index, rows])).toEqual([['ix_runs_open_traces', 5]]);
    expect(scans[0]?.pages).toBeLessThan(40);
  });

  it('ix_runs_leases serves the search for expired leases, and neither a run without one nor one that is held is read', async () => {
    await connected(database.adminUrl, (client) =>
      client.query(
        `UPDATE runs SET lease_seconds = 60, lease_token = id,
           lease_expires_at = now() + CASE WHEN number <= 5 THEN interval '-1 s' ELSE interval '1 hour' END
         FROM (SELECT id AS held, row_number() OVER (ORDER BY id) AS number FROM runs
           WHERE status = 'running' AND id <> $1 LIMIT 500) chosen WHERE id = held`,
        [middle.runId],
      ),
    );
    const plans = await plansOfWorker((worker, log) => new LeaseWatch(worker, log).round());
    const scans = plans.flatMap((plan) => plan.scans).filter(({ table }) => table === 'runs');
    expect([scans[0]?.index, scans[0]?.rows]).toEqual(['ix_runs_leases', 5]);
    expect(scans[0]?.pages).toBeLessThan(40);
    // Each of them is then held, and ended, by its id.
    const found = scans.slice(1).filter(({ how }) => how !== 'Tid Scan');
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ index, rows }) => index !== 'pk_runs' || rows > 5)).toEqual([]);
  });

  it('ix_approvals_due serves the search for what is due, and no approval is read that is decided, or not due', async () => {
    await connected(database.adminUrl, (client) =>
      client.query(`UPDATE approvals SET due_at = now() - interval '1 s' WHERE id IN (
        SELECT id FROM approvals WHERE status = 'pending' AND due_at IS NOT NULL ORDER BY id LIMIT 5)`),
    );
    const plans = await plansOfWorker((worker, log) => new ApprovalWatch(worker, log).round());
    const [search] = plans.flatMap((plan) => plan.scans).filter(({ table }) => table === 'approvals');
    expect([search?.index, search?.rows]).toEqual(['ix_approvals_due', 5]);
    expect(search?.pages).toBeLessThan(40);
  });

  it('ix_bulk_actions_open serves the search for those that have not ended, and a portion reads no more runs than it does something to', async () => {
    const { organization } = apis.custom?.keys as Keys;
    const { body } = await organization.post('/v1/bulk-actions', {
      ...{ action: 'cancel', filter: { status: ['waiting_human'] } },
    });
    const plans = await plansOfWorker((worker, log) => new BulkActionRunner(worker, log).round());
    const scans = plans.flatMap((plan) => plan.scans);
    const found = scans.filter(({ index }) => index === 'ix_bulk_actions_open');
    expect(found[0]?.rows).toBeLessThan(10);
    expect(scans.filter(({ table, rows }) => table === 'bulk_actions' && rows > 10)).toEqual([]);
    const { done } = (await organization.get(`/v1/bulk-actions/${body.id}`)).body;
    expect(done).toBeGreaterThan(0);
    const ofRuns = scans.filter(({ table, index }) => table === 'runs' && index !== 'pk_runs');
    expect(ofRuns.filter(({ rows }) => rows > 50)).toEqual([]);
  }, 30_000);

  it.each(MODES)(
    'ix_runs_offered serves a claim, and no run is read that somebody has a lease of, planned as %s',
    async (mode) => {
      const { keys, plans } = apis[mode] as Explained;
      const first = await offeredRuns(300, mode === 'custom' ? 10 : 20);
      const all = await plans.during(async () => {
        const { body } = await keys.agent.post('/v1/runs/claim', {
          ...{ agent_id: middle.agentId, lease_seconds: 60 },
        });
        expect(body.id).toBe(first);
      });
      const scans = all.flatMap((plan) => plan.scans).filter(({ table }) => table === 'runs');
      const found = scans.filter(({ index }) => index === 'ix_runs_offered');
      expect(found.map(({ rows, pages }) => [rows, pages < 40])).toEqual([[1, true]]);
      expect(scans.filter(({ rows }) => rows > 1)).toEqual([]);
    },
  );

  /** Pending runs of the middle's agent, older than all others of it, and the first that nobody has a lease of. */
  async function offeredRuns(count: number, yearsAgo: number): Promise<string> {
    const { rows } = await connected(database.adminUrl, (client) =>
      client.query<{ id: string; lease_token: string | null }>(
        `INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, lease_token, created_at)
         SELECT tenant_id, gen_random_uuid(), project_id, agent_id, agent_version, adapter, 'pending',
           CASE WHEN n <= $2 THEN id END, now() - make_interval(years => $3) + n * interval '1 s'
         FROM runs, generate_series(1, $2 * 2) n WHERE id = $1 ORDER BY n RETURNING id, lease_token`,
        [middle.runId, count, yearsAgo],
      ),
    );
    return (rows.find(({ lease_token }) => lease_token === null) as { id: string }).id;
  }

  it.each(EVERYBODY.flatMap((who) => MODES.map((mode) => ({ who, mode }))))(
    "ix_run_events_xid serves the $who key's stream of all runs, planned as $mode, and no event before its place is read",
    async ({ who, mode }) => {
      const { api, keys, plans } = apis[mode] as Explained;
      await untilEventsAreSettled(database);
      const all = await plans.during(async () => {
        const stream = await openStream(api, '/v1/events', keys[who].key as string);
        await stream.until((text) => text.includes('\nid: '));
        const { status } = await first.admin.post(`/v1/runs/${middle.runId}/steps`, { node: 'x' });
        expect(status).toBe(201);
        expect((await stream.take(1)).map(({ data }) => data.type)).toEqual(['step.started']);
        stream.close();
      });
      const scans = all.flatMap((plan) => plan.scans);
      const ofEvents = scans.filter(({ table }) => table === 'run_events');
      expect(ofEvents.map(({ index }) => index)).toContain('ix_run_events_xid');
      expect(ofEvents.filter(({ index }) => index !== 'ix_run_events_xid')).toEqual([]);
      expect(scans.filter(({ rows, pages }) => rows > 5 || pages > 40)).toEqual([]);
    },
  );

  it.each(MODES)('uq_agents_tenant_name finds an agent by its name, planned as %s', async (mode) => {
    const { keys, plans } = apis[mode] as Explained;
    const agent = { name: middle.agentName, adapter: 'custom' };
    const all = await plans.during(async () =>
      expect((await keys.project.post('/v1/runs', { agent })).status).toBe(201),
    );
    const byName = all.flatMap(({ scans }) => scans).filter((scan) => scan.index === 'uq_agents_tenant_name');
    expect(byName.map(({ rows }) => rows)).toEqual([1]);
  });

  it.each(UNIQUE)('%s refuses a second row of %s with the same key', async (index, table) => {
    const twice = connected(database.adminUrl, (client) =>
      client.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', $1::text))).*
         FROM ${table} t LIMIT 1`,
        [randomUUID()],
      ),
    );
    await expect(twice).rejects.toMatchObject({ code: '23505', constraint: index });
  });
});
