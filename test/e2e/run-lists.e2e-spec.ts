import type { RunStatus } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import { STATES, aRunIn } from '../support/run-states.js';
import { aKey, anAgent, aProject } from '../support/things.js';

interface Run {
  id: string;
  project_id: string;
  agent_id: string;
  status: RunStatus;
  adapter: string;
  session_id: string | null;
  parent_run_id: string | null;
  tags: string[];
  created_at: string;
}

describe('lists of runs', () => {
  let api: TestApi;
  /** Every run, newest first, as it was shown one by one. */
  let runs: Run[];
  const clients: Record<string, { client: Client; sees: (run: Run) => boolean }> = {};

  beforeAll(async () => {
    api = await anApi();
    const projects = [(await aProject(api.admin)).id, (await aProject(api.admin)).id];
    const agents: { id: string; project_id: string }[] = [];
    for (const project_id of [projects[0], projects[0], projects[1]]) {
      agents.push(await anAgent(api.admin, { project_id }));
    }
    const parent = await aRunIn(api.admin, 'running', { agent_id: agents[0]?.id });
    const ids = [parent.id];
    for (let i = 0; i < 36; i++) {
      const members = {
        ...{ agent_id: agents[i % 3]?.id, adapter: i % 2 ? 'custom' : 'langgraph' },
        ...(i % 4 ? { session_id: `s-${i % 4}` } : {}),
        ...(i % 5 === 0 ? { parent_run_id: parent.id } : {}),
        tags: [['red'], ['red', 'blue'], []][i % 7] ?? ['Red'],
      };
      ids.push((await aRunIn(api.admin, STATES[(i >> 1) % 6] as RunStatus, members)).id);
    }
    runs = [];
    for (const id of ids) runs.unshift((await api.admin.get(`/v1/runs/${id}`)).body);
    const [project_id, agent_id] = [projects[0] as string, agents[0]?.id as string];
    const keyOf = async (members: object) => api.as((await aKey(api.admin, { ...members })).key);
    clients['organization'] = { client: api.admin, sees: () => true };
    clients['project'] = {
      client: await keyOf({ scope: 'project', project_id, role: 'viewer' }),
      sees: (run) => run.project_id === project_id,
    };
    clients['agent'] = {
      client: await keyOf({ scope: 'agent', agent_id, role: 'viewer' }),
      sees: (run) => run.agent_id === agent_id,
    };
  });
  afterAll(() => api.close());

  /** Each filter, with values that occur and one that does not, and what it means. */
  const FILTERS: Record<string, { values: () => string[]; keeps: (run: Run, value: string) => boolean }> = {
    project_id: { values: () => valuesOf('project_id'), keeps: (run, value) => run.project_id === value },
    agent_id: { values: () => valuesOf('agent_id'), keeps: (run, value) => run.agent_id === value },
    status: {
      values: () => ['pending', 'running', 'failed,succeeded', STATES.join(','), 'cancelled,cancelled'],
      keeps: (run, value) => value.split(',').includes(run.status),
    },
    adapter: { values: () => ['custom', 'langgraph', 'none'], keeps: (run, value) => run.adapter === value },
    session_id: { values: () => ['s-1', 's-3', 'none'], keeps: (run, value) => run.session_id === value },
    parent_run_id: {
      values: () => valuesOf('parent_run_id'),
      keeps: (run, value) => run.parent_run_id === value,
    },
    created_after: {
      values: () => [momentAt(9), momentAt(0)],
      keeps: (run, value) => run.created_at > value,
    },
    created_before: {
      values: () => [momentAt(9), momentAt(36)],
      keeps: (run, value) => run.created_at < value,
    },
    tag: { values: () => ['red', 'blue', 'Red', 'none'], keeps: (run, value) => run.tags.includes(value) },
  };
  const valuesOf = (member: 'project_id' | 'agent_id' | 'parent_run_id'): string[] => [
    ...new Set(runs.map((run) => run[member]).filter((value) => value !== null)),
    randomUUID(),
  ];
  const momentAt = (place: number): string => (runs[place] as Run).created_at;

  async function expectTruth(scope: string, filters: Record<string, string>, limit: number): Promise<void> {
    const { client, sees } = clients[scope] as { client: Client; sees: (run: Run) => boolean };
    const listed = await everyRow(client, `/v1/runs?${new URLSearchParams(filters).toString()}`, limit);
    const kept = runs.filter(
      (run) =>
        sees(run) && Object.entries(filters).every(([name, value]) => FILTERS[name]?.keeps(run, value)),
    );
    expect([filters, listed.map(({ id }) => id)]).toEqual([filters, kept.map(({ id }) => id)]);
  }

  it.each(['organization', 'project', 'agent'])(
    '[T2] Every filter alone lists exactly the runs that it means, newest first, to an %s key',
    async (scope) => {
      await expectTruth(scope, {}, 7);
      for (const [name, { values }] of Object.entries(FILTERS)) {
        for (const value of values()) await expectTruth(scope, { [name]: value }, 5);
      }
    },
  );

  it.each(['organization', 'project', 'agent'])(
    '[T2] Every two filters together list exactly the runs that both mean, to an %s key',
    async (scope) => {
      const names = Object.keys(FILTERS);
      for (const [i, one] of names.entries()) {
        for (const two of names.slice(i + 1)) {
          const [a, b] = [one, two].map((name) => FILTERS[name]?.values()[0] as string);
          await expectTruth(scope, { [one]: a as string, [two]: b as string }, 4);
        }
      }
      const all = { created_after: momentAt(36), created_before: momentAt(0), status: STATES.join(',') };
      await expectTruth(scope, { ...all, adapter: 'custom', session_id: 's-1' }, 2);
    },
  );

  it('Rows carry no payloads, and otherwise what the run itself shows', async () => {
    const [row] = (await api.admin.get('/v1/runs?limit=1')).body.data;
    const shown = runs[0] as unknown as Record<string, unknown>;
    const payloads = ['input', 'output', 'error', 'metadata', 'waiting_for', 'resume_input'];
    const left = Object.entries(shown).filter(([n]) => ![...payloads, 'lease_expires_at'].includes(n));
    expect(row).toEqual(Object.fromEntries(left));
  });

  it.each([
    'status=done',
    'status=',
    'status=running,',
    'status=Running',
    'project_id=x',
    'adapter=A',
    'session_id=',
    'created_after=yesterday',
    'tag=',
    'tag=a&tag=b',
    'status[]=failed',
    'limit=0',
    'limit=201',
    'sort=name',
    'order=asc',
    'tenant_id=3f0e7f4e-0000-7000-8000-000000000000',
  ])('A list asked for by %s is refused', async (query) => {
    const refused = await api.admin.get(`/v1/runs?${query}`);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  });

  it('[T12] A cursor goes on with its own list, filters and scope only, with whatever limit', async () => {
    const { next_cursor } = (await api.admin.get('/v1/runs?limit=2&adapter=custom')).body;
    const rest = await everyRow(api.admin, '/v1/runs?adapter=custom', 200, next_cursor);
    const custom = runs.filter(({ adapter }) => adapter === 'custom');
    expect(rest.map(({ id }) => id)).toEqual(custom.slice(2).map(({ id }) => id));
    for (const path of ['/v1/runs?', '/v1/runs?adapter=langgraph&', '/v1/agents?']) {
      expect((await api.admin.get(`${path}cursor=${next_cursor}`)).body.code).toBe('invalid_cursor');
    }
    const narrower = await clients['project']?.client.get(`/v1/runs?adapter=custom&cursor=${next_cursor}`);
    expect(narrower?.body.code).toBe('invalid_cursor');
  });
});
