import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aRun, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { housekeepers, roundsOf } from '../support/workers.js';

describe('deletions of agents that broke off', () => {
  let api: TestApi;
  let truth: Truth;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_LOCK_TIMEOUT_MS: '300' });
    truth = theTruth(api.database);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  /** An agent whose deletion broke off, so long ago, because somebody held its run. */
  async function anInterruptedDeletion(minutes: number): Promise<{ agentId: string; runId: string }> {
    const agent = await anAgent(api.admin);
    const run = await aRunningRun(api.admin, { agent_id: agent.id });
    for (let i = 0; i < 3; i++) await aRun(api.admin, { agent_id: agent.id });
    await api.admin.post(`/v1/agents/${agent.id}/tool-calls`, { name: 'search' });
    const free = await held(run.id);
    expect((await api.admin.delete(`/v1/agents/${agent.id}`)).status).toBe(503);
    await free();
    await truth.query('UPDATE agents SET deleting_since = now() - make_interval(mins => $2) WHERE id = $1', [
      agent.id,
      minutes,
    ]);
    return { agentId: agent.id, runId: run.id };
  }

  /** Holds a run; answers how to let it go. */
  async function held(runId: string): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: api.database.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [runId]);
    return () => holder.end();
  }

  /** What a round of so many housekeepers at once comes to. */
  async function deletionsOf(count: number) {
    const warnings: string[] = [];
    const rounds = await roundsOf(api.database, { ...housekeepers(count), warnings });
    return { deletions: rounds.map(({ deletions }) => deletions), warnings };
  }

  const rowsOf = async ({ agentId }: { agentId: string }): Promise<number[]> => [
    await truth.count('agents', 'id = $1', [agentId]),
    await truth.count('runs', 'agent_id = $1', [agentId]),
    await truth.count('tool_calls', 'agent_id = $1', [agentId]),
  ];

  it('A deletion that broke off is finished, one that has just begun is left to who began it, and other agents stay', async () => {
    const [old, young] = [await anInterruptedDeletion(6), await anInterruptedDeletion(1)];
    const bystander = await aRunningRun(api.admin);
    expect(await deletionsOf(1)).toEqual({ deletions: [1], warnings: [] });
    expect(await rowsOf(old)).toEqual([0, 0, 0]);
    expect((await rowsOf(young))[0]).toBe(1);
    expect((await api.admin.get(`/v1/runs/${bystander.id}`)).status).toBe(200);
    expect((await api.admin.delete(`/v1/agents/${young.agentId}`)).status).toBe(204);
  });

  it('A deletion that cannot be finished now does not keep the others from it, and is finished later', async () => {
    const [stuck, other] = [await anInterruptedDeletion(20), await anInterruptedDeletion(10)];
    const free = await held(stuck.runId);
    const warnings = ['could not finish a deletion; trying again in a minute'];
    expect(await deletionsOf(1)).toEqual({ deletions: [1], warnings });
    expect(await rowsOf(other)).toEqual([0, 0, 0]);
    await free();
    expect(await deletionsOf(1)).toEqual({ deletions: [1], warnings: [] });
    expect(await rowsOf(stuck)).toEqual([0, 0, 0]);
  });

  it('Two at work on the same deletion finish it together', async () => {
    const interrupted = await anInterruptedDeletion(6);
    expect((await deletionsOf(2)).warnings).toEqual([]);
    expect(await rowsOf(interrupted)).toEqual([0, 0, 0]);
  });
});
