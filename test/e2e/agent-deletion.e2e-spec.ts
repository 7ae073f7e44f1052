import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import {
  aFinishedRun,
  aKey,
  aMessage,
  aRun,
  aRunningRun,
  aStep,
  aToolCall,
  anAgent,
} from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const OF_AGENT = ['runs', 'agent_versions', 'tool_calls', 'api_keys'];
const OF_RUN = ['steps', 'messages', 'tool_calls', 'checkpoints', 'run_events'];

describe('the deletion of an agent', () => {
  let api: TestApi;
  let truth: Truth;
  let holder: pg.Client;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_LOCK_TIMEOUT_MS: '400' });
    truth = theTruth(api.database);
    holder = new pg.Client({ connectionString: api.database.adminUrl });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await truth.close();
    await api.close();
  });

  /** An agent with versions, runs, children, loose calls and a key of its own. */
  async function aBusyAgent() {
    const agent = await anAgent(api.admin);
    await api.admin.patch(`/v1/agents/${agent.id}`, { description: 'two' });
    const run = await aRunningRun(api.admin, { agent_id: agent.id });
    const step = await aStep(api.admin, run.id);
    await aMessage(api.admin, run.id, { step_id: step.id });
    await aToolCall(api.admin, run.id, { step_id: step.id });
    await aFinishedRun(api.admin, { agent_id: agent.id, parent_run_id: run.id });
    await api.admin.post(`/v1/agents/${agent.id}/tool-calls`, { name: 'search' });
    const key = await aKey(api.admin, { scope: 'agent', agent_id: agent.id });
    return { agent, run, own: api.as(key.key) };
  }

  async function expectNothingLeft(agentId: string, runId: string): Promise<void> {
    for (const table of OF_AGENT) {
      expect([table, await truth.count(table, 'agent_id = $1', [agentId])]).toEqual([table, 0]);
    }
    for (const table of OF_RUN) {
      expect([table, await truth.count(table, 'run_id = $1', [runId])]).toEqual([table, 0]);
    }
    expect(await truth.count('agents', 'id = $1', [agentId])).toBe(0);
  }

  /** A key is asked for again as long as it may still be known: half a second, and not more than one. */
  async function expectDead(client: Client): Promise<void> {
    const begun = performance.now();
    for (;;) {
      if ((await client.get('/v1/me')).status === 401) return;
      expect(performance.now() - begun).toBeLessThan(1_000);
    }
  }

  it('It takes everything below along, its history and keys too, and leaves other agents alone', async () => {
    const [{ agent, run, own }, other] = [await aBusyAgent(), await aBusyAgent()];
    expect((await own.get('/v1/me')).status).toBe(200);
    expect((await api.admin.delete(`/v1/agents/${agent.id}`)).status).toBe(204);
    await expectNothingLeft(agent.id, run.id);
    await expectDead(own);
    expect((await api.admin.get(`/v1/agents/${agent.id}`)).status).toBe(404);
    expect((await api.admin.get(`/v1/runs/${run.id}`)).status).toBe(404);
    expect((await api.admin.delete(`/v1/agents/${agent.id}`)).status).toBe(404);
    expect(await everyRow(api.admin, `/v1/agents/${other.agent.id}/versions`, 50)).toHaveLength(2);
    expect((await other.own.get(`/v1/runs/${other.run.id}`)).status).toBe(200);
  });

  it('More runs than one batch takes go in the same call', async () => {
    const { id } = await anAgent(api.admin);
    const runs = Array.from({ length: 105 }, () => () => aRun(api.admin, { agent_id: id }));
    for (let i = 0; i < runs.length; i += 15) await Promise.all(runs.slice(i, i + 15).map((make) => make()));
    expect((await api.admin.delete(`/v1/agents/${id}`)).status).toBe(204);
    expect(await truth.count('runs', 'agent_id = $1', [id])).toBe(0);
  });

  it('From the first moment it is out of sight, and a call that broke off goes on when it is repeated', async () => {
    const { agent, run, own } = await aBusyAgent();
    // Somebody holds a run, so that the deletion breaks off at its limit, with the agent hidden.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [run.id]);
    const broken = await api.admin.delete(`/v1/agents/${agent.id}`);
    expect([broken.status, broken.body.code]).toEqual([503, 'timeout']);

    const path = `/v1/agents/${agent.id}`;
    for (const suffix of ['', '/versions', '/versions/1', '/versions/diff?from=1&to=2', '/tool-calls']) {
      expect((await api.admin.get(path + suffix)).status).toBe(404);
    }
    for (const refused of [
      await api.admin.patch(path, { description: 'three' }),
      await api.admin.post(`${path}/versions/1/restore`),
      await api.admin.post(`${path}/tool-calls`, { name: 'search' }),
      await api.admin.post('/v1/runs', { agent_id: agent.id }),
      await api.admin.post('/v1/api-keys', { name: 'k', scope: 'agent', agent_id: agent.id, role: 'viewer' }),
    ]) {
      expect(refused.status).toBe(404);
    }
    const listed = await everyRow(api.admin, `/v1/agents?project_id=${agent.project_id}`, 50);
    expect(listed).toEqual([]);
    await expectDead(own);
    const { project_id, name } = agent;
    const heir = await anAgent(api.admin, { project_id, name });
    expect(heir).toMatchObject({ name, version: 1 });

    await holder.query('ROLLBACK');
    expect((await api.admin.delete(path)).status).toBe(204);
    await expectNothingLeft(agent.id, run.id);
    expect((await api.admin.get(`/v1/agents/${heir.id}`)).body).toEqual(heir);
  });

  it('A project goes with agents whose deletion broke off', async () => {
    const { agent, run } = await aBusyAgent();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [run.id]);
    expect((await api.admin.delete(`/v1/agents/${agent.id}`)).status).toBe(503);
    await holder.query('ROLLBACK');
    expect((await api.admin.delete(`/v1/projects/${agent.project_id}`)).status).toBe(409);
    expect((await api.admin.delete(`/v1/projects/${agent.project_id}?cascade=true`)).status).toBe(204);
    await expectNothingLeft(agent.id, run.id);
  });
});
