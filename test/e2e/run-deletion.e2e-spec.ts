import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import {
  aCheckpoint,
  aKey,
  aMessage,
  aRun,
  aRunningRun,
  aStep,
  aToolCall,
  aProject,
  anAgent,
} from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const TABLES = ['steps', 'messages', 'tool_calls', 'checkpoints', 'run_events'];

describe('the deletion of a run', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  /** A run with a child of each kind. */
  async function aFullRun() {
    const run = await aRunningRun(api.admin, { agent_id, lease_seconds: 60 });
    const step = await aStep(api.admin, run.id);
    const call = await aToolCall(api.admin, run.id, { step_id: step.id });
    await aMessage(api.admin, run.id, { step_id: step.id });
    await aCheckpoint(api.admin, run.id, { step_id: step.id });
    return { id: run.id as string, step, call, lease_token: run.lease_token as string };
  }

  /** Every write that could still be on its way to a run when it is deleted. */
  function lateWrites({ id, step, call, lease_token }: Awaited<ReturnType<typeof aFullRun>>) {
    const path = `/v1/runs/${id}`;
    return [
      ['POST', '/v1/runs', { id, agent_id, start: true, lease_seconds: 60 }],
      ...['start', 'wait', 'resume', 'succeed', 'fail', 'cancel'].map((move) => [
        'POST',
        `${path}/${move}`,
        {},
      ]),
      ['POST', `${path}/heartbeat`, { lease_token }],
      ['POST', `${path}/steps`, { id: step.id, node: 'plan' }],
      ['PATCH', `${path}/steps/${step.id}`, { status: 'succeeded' }],
      ['POST', `${path}/messages`, { role: 'user' }],
      ['POST', `${path}/tool-calls`, { id: call.id, name: 'search' }],
      ['PATCH', `${path}/tool-calls/${call.id}`, { result: 1 }],
      ['POST', `${path}/tool-calls/complete`, { name: 'search', result: 1 }],
      ['POST', `${path}/checkpoints`, { state: 1 }],
    ] as [string, string, object][];
  }

  it('It takes everything below along, and runs that came from it stay without a parent', async () => {
    const run = await aFullRun();
    const child = await aRun(api.admin, { agent_id, parent_run_id: run.id });
    expect((await api.admin.delete(`/v1/runs/${run.id}?force=true`)).status).toBe(204);
    for (const table of TABLES) expect(await truth.count(table, 'run_id = $1', [run.id])).toBe(0);
    const orphan = (await api.admin.get(`/v1/runs/${child.id}`)).body;
    expect(orphan).toMatchObject({ parent_run_id: null, origin: 'subagent' });
    for (const path of [
      '',
      '/steps',
      `/steps/${run.step.id}`,
      '/messages',
      '/checkpoints/latest',
      '/tool-calls',
    ]) {
      expect((await api.admin.get(`/v1/runs/${run.id}${path}`)).status).toBe(404);
    }
    const ids = (await everyRow(api.admin, '/v1/runs', 200)).map(({ id }) => id);
    expect(ids).not.toContain(run.id);
  });

  it('[I14] For a day late writes of every kind are told that it is gone, and nothing brings it back', async () => {
    const run = await aFullRun();
    await api.admin.delete(`/v1/runs/${run.id}?force=true`);
    await truth.query(`UPDATE deleted_runs SET deleted_at = now() - interval '23:59' WHERE run_id = $1`, [
      run.id,
    ]);
    const { project_id } = (await api.admin.get(`/v1/agents/${agent_id}`)).body;
    const clients: Client[] = [api.admin];
    for (const scope of [
      { scope: 'project', project_id },
      { scope: 'agent', agent_id },
    ]) {
      clients.push(api.as((await aKey(api.admin, { ...scope, role: 'operator' })).key));
    }
    for (const client of clients) {
      for (const [method, path, body] of lateWrites(run)) {
        const answer = await client.call(method, path, body);
        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 410, 'run.deleted']);
      }
    }
    const other = await anAgent(api.admin);
    const stranger = api.as((await aKey(api.admin, { scope: 'agent', agent_id: other.id })).key);
    expect((await stranger.post(`/v1/runs/${run.id}/cancel`)).status).toBe(404);
    expect(await truth.run(run.id)).toBe(undefined);
    for (const table of TABLES) expect(await truth.count(table, 'run_id = $1', [run.id])).toBe(0);
  });

  it('[I14] After a day its id is as good as new', async () => {
    const run = await aFullRun();
    await api.admin.delete(`/v1/runs/${run.id}?force=true`);
    await truth.query(`UPDATE deleted_runs SET deleted_at = now() - interval '24:01' WHERE run_id = $1`, [
      run.id,
    ]);
    for (const [method, path, body] of lateWrites(run).slice(1)) {
      expect((await api.admin.call(method, path, body)).status).toBe(404);
    }
    expect((await aRun(api.admin, { agent_id, id: run.id })).status).toBe('pending');
  });

  it('A run that never was is 404 to the same writes, and so is a repeated deletion', async () => {
    const run = { ...(await aFullRun()), id: randomUUID() };
    for (const [method, path, body] of lateWrites(run).slice(1)) {
      expect((await api.admin.call(method, path, body)).status).toBe(404);
    }
    expect((await api.admin.delete(`/v1/runs/${run.id}`)).status).toBe(404);
  });

  it('A run of many steps, each with what belongs to it, is deleted in one call', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        let parent_step_id: string | undefined;
        for (let i = 0; i < 15; i++) {
          const step = await aStep(api.admin, run.id, parent_step_id ? { parent_step_id } : {});
          await aMessage(api.admin, run.id, { step_id: step.id });
          await aToolCall(api.admin, run.id, { step_id: step.id });
          parent_step_id = step.id;
        }
      }),
    );
    expect((await api.admin.delete(`/v1/runs/${run.id}?force=true`)).status).toBe(204);
    for (const table of TABLES) expect(await truth.count(table, 'run_id = $1', [run.id])).toBe(0);
  });

  it('Only an admin deletes, and says so plainly', async () => {
    const { id } = await aRun(api.admin, { agent_id });
    const operator = api.as((await aKey(api.admin, { scope: 'organization', role: 'operator' })).key);
    expect((await operator.delete(`/v1/runs/${id}`)).status).toBe(403);
    for (const query of ['force', 'force=1', 'force=yes', 'cascade=true']) {
      expect((await api.admin.delete(`/v1/runs/${id}?${query}`)).status).toBe(400);
    }
    expect((await api.admin.get(`/v1/runs/${id}`)).status).toBe(200);
  });

  it('[T8] An id that was deleted under another key lives and dies once more, and neither key learns of the other', async () => {
    const id = randomUUID();
    for (let round = 0; round < 2; round++) {
      for (const name of ['one', 'two']) {
        const { id: project_id } = await homeOf(name);
        const { key } = await aKey(api.admin, { scope: 'project', project_id });
        const client = api.as(key);
        const agent = { name: `${name} ${id}`, adapter: 'custom' };
        expect((await client.post('/v1/runs', { id, agent, project_id })).status).toBe(
          round === 0 ? 201 : 410,
        );
        if (round === 0) expect((await client.delete(`/v1/runs/${id}`)).status).toBe(204);
        expect((await client.get(`/v1/runs/${id}`)).status).toBe(404);
      }
    }
  });

  const homes = new Map<string, { id: string }>();
  async function homeOf(name: string): Promise<{ id: string }> {
    const home = homes.get(name) ?? (await aProject(api.admin, { name: `${name} ${randomUUID()}` }));
    homes.set(name, home as { id: string });
    return home as { id: string };
  }
});
