import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import type { ClientBase } from 'pg';
import { connected, type TestDatabase } from '../support/database.js';
import { aCrowd } from '../support/plans/crowd.js';
import { aMiddle, keysAt, type Keys, type Middle } from '../support/plans/middle.js';
import { aPlanRecorder, anExplainedDatabase, planning } from '../support/plans/plan-recorder.js';
import type { Plan, Scan } from '../support/plans/plan.js';
import { aRun } from '../support/things.js';

type Ask = (client: Client, runId: string, middle: Middle) => Promise<Answer>;

const move =
  (command: string, body: object = {}): Ask =>
  (client, runId) =>
    client.post(`/v1/runs/${runId}/${command}`, body);

/** A run's life in one order, which every statement on a single run or agent takes part in. */
const LIFE: [what: string, ask: Ask][] = [
  ['reading a run', (client, runId) => client.get(`/v1/runs/${runId}`)],
  ['starting a run', move('start', { lease_seconds: 60 })],
  ['prolonging a lease', (client, runId) => heartbeat(client, runId)],
  ['reporting under a lease', (client, runId) => underLease(client, runId)],
  ['letting a run wait', move('wait', { question: 'May I?' })],
  ['resuming a run', move('resume')],
  ['reporting a step', move('steps', { node: 'plan' })],
  ['reporting a message', move('messages', { role: 'user', content: 'Hello' })],
  ['reporting a tool call', move('tool-calls', { name: 'search' })],
  ['reporting a checkpoint', move('checkpoints', { state: {} })],
  ['reading what is below a run', (client, runId) => client.get(`/v1/runs/${runId}?include=steps,messages`)],
  ['retrying a run', move('retry', { reason: 'again' })],
  ['forking a run', move('checkpoints/0/fork')],
  ['showing where a run comes from', (client, runId) => client.get(`/v1/runs/${runId}/lineage`)],
  [
    'picking up a run',
    (client, _, { agentId }) => client.post('/v1/runs/claim', { agent_id: agentId, lease_seconds: 60 }),
  ],
  ['ending a run with something open', move('fail', { error: 'x' })],
  [
    'creating a run',
    (client, _, { agentId }) => client.post('/v1/runs', { agent_id: agentId, id: randomUUID() }),
  ],
  [
    'creating a run below another',
    (client, runId, { agentId }) => client.post('/v1/runs', { agent_id: agentId, parent_run_id: runId }),
  ],
  [
    'starting an agent by its name',
    (client, _, { agentName, projectId }) =>
      client.post('/v1/runs', {
        agent: { name: agentName, adapter: 'custom' },
        ...inProject(client, projectId),
      }),
  ],
  ['reading an agent', (client, _, { agentId }) => client.get(`/v1/agents/${agentId}`)],
  [
    'changing an agent',
    (client, _, { agentId }) => client.patch(`/v1/agents/${agentId}`, { description: randomUUID() }),
  ],
  ['reading a version', (client, _, { agentId }) => client.get(`/v1/agents/${agentId}/versions/1`)],
  ['deleting a run', (client, runId) => client.delete(`/v1/runs/${runId}`)],
];

/** The indexes through which one row is found at once; those of agents for the statements of our own. */
const FOUND_BY: Record<string, string[]> = {
  runs: ['pk_runs', 'uq_runs_external_id', 'ix_runs_parent_run_id', 'ix_runs_offered'],
  agents: ['pk_agents', 'uq_agents_tenant_name'],
};

/** The scans of a plan that would take longer the more rows there are. */
function longScans({ statement, scans }: Plan): Scan[] {
  const ofForeignKey = statement.includes(' ONLY "public".');
  return scans.filter(({ how, table, index = '', rows, pages }) => {
    if (how === 'Tid Scan') return rows > 1; // A row at a known place.
    const isJudged = table === 'runs' || (table === 'agents' && !ofForeignKey && pages > 0);
    return rows > 20 || pages > 40 || (isJudged && !FOUND_BY[table]?.includes(index));
  });
}

describe('plans that were made while the tables were empty, and kept', () => {
  let database: TestDatabase;
  let api: TestApi;
  let middle: Middle;
  let keys: Keys;
  /** What was carried out by kept plans when the tables had filled, by what was asked and by whom. */
  const kept = new Map<string, Plan[]>();

  beforeAll(async () => {
    database = await anExplainedDatabase({ 'auto_explain.log_nested_statements': 'on' });
    await connected(database.adminUrl, keepStatistics);
    api = await anApi({ AGENTFLOW_POOL_SIZE: '1' }, planning(database, 'generic'));
    middle = await aMiddle(api);
    keys = await keysAt(api, api.admin, middle);
    const plans = aPlanRecorder(api);
    await live(async (_, ask) => ask());
    await connected(database.adminUrl, async (client) => {
      await client.query('SET auto_explain.log_min_duration = -1');
      await aCrowd(client, middle);
    });
    await live(async (name, ask) => void kept.set(name, await plans.during(ask)));
  }, 120_000);
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  /** Everything in its order, with a key of each kind and a run of its own. */
  async function live(each: (name: string, ask: () => Promise<void>) => Promise<unknown>): Promise<void> {
    for (const [who, client] of Object.entries(keys) as [keyof Keys, Client][]) {
      const { id } = await aRun(client, { agent_id: middle.agentId, external_id: randomUUID() });
      for (const [what, ask] of LIFE) {
        await each(`${what} ${who}`, async () => {
          const { status, text } = await ask(what === 'deleting a run' ? api.admin : client, id, middle);
          if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
        });
      }
    }
  }

  const whos = ['organization', 'project', 'agent'];
  it.each(LIFE.flatMap(([what]) => whos.map((who) => ({ what, who }))))(
    '$what takes no longer with 100,000 runs: what it needs is found by its id, for the $who key',
    ({ what, who }) => {
      const plans = kept.get(`${what} ${who}`) ?? [];
      expect(plans.flatMap(({ scans }) => scans).length).toBeGreaterThan(0);
      expect(plans.filter((plan) => longScans(plan).length > 0)).toEqual([]);
    },
  );

  it('were made while the tables were empty indeed', async () => {
    const { rows } = await connected(database.adminUrl, (client) =>
      client.query(
        `SELECT relname FROM pg_class WHERE relname IN ('runs', 'agents', 'steps') AND reltuples > 0`,
      ),
    );
    expect(rows).toEqual([]);
  });
});

/** New statistics would have every plan made anew, and nobody else is to take them meanwhile. */
async function keepStatistics(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
}

async function heartbeat(client: Client, runId: string): Promise<Answer> {
  return client.post(`/v1/runs/${runId}/heartbeat`, { lease_token: await tokenOf(client, runId) });
}

async function underLease(client: Client, runId: string): Promise<Answer> {
  const headers = { 'agentflow-lease': await tokenOf(client, runId) };
  return client.post(`/v1/runs/${runId}/messages`, { role: 'user', content: 'Hello' }, headers);
}

/** Who repeats the start is told the token again. */
async function tokenOf(client: Client, runId: string): Promise<string> {
  return (await client.post(`/v1/runs/${runId}/start`, { lease_seconds: 60 })).body.lease_token;
}

/** Whoever names an agent with an organization's key says in which project. */
function inProject(client: Client, projectId: string): object {
  return client.key?.startsWith('af_org_') ? { project_id: projectId } : {};
}
