import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aRunEnd, aRunStart, aStepEnd, aStepStart, at } from '../support/items.js';
import {
  aFinishedRun,
  aKey,
  aProject,
  aRunningRun,
  aStep,
  aToolCall,
  anAgent,
  anOrganization,
} from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

type Verdict = { verdict: string; code?: string; pointer?: string };

describe('batches and what their keys may reach', () => {
  let api: TestApi;
  let truth: Truth;
  let own: { project: string; agent: string; reporter: Client };
  let foreign: { places: string[]; runs: string[]; call: string; step: string; agent: string };
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    const project = (await aProject(api.admin)).id;
    const agent = (await anAgent(api.admin, { project_id: project })).id;
    const { key } = await aKey(api.admin, { scope: 'project', project_id: project, role: 'reporter' });
    own = { project, agent, reporter: api.as(key) };
    const other = api.as((await anOrganization(api.root)).api_key.key);
    const sibling = await aRunningRun(api.admin);
    const stranger = await aRunningRun(other);
    const call = await aToolCall(api.admin, sibling.id);
    const step = await aStep(api.admin, sibling.id);
    const [here, there] = [
      (await api.admin.get('/v1/me')).body.organization.id,
      (await other.get('/v1/me')).body.organization.id,
    ];
    const places = [`${here} ${sibling.id}`, `${here} ${sibling.agent_id}`];
    places.push(`${there} ${stranger.id}`, `${there} ${stranger.agent_id}`);
    foreign = {
      places,
      runs: [sibling.id, stranger.id],
      call: call.id,
      step: step.id,
      agent: sibling.agent_id,
    };
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  async function send(client: Client, items: object[]): Promise<Verdict[]> {
    const { status, text, body } = await client.post('/v1/ingest', items);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body.results;
  }
  /** Everything of the foreign runs and their agents. */
  async function rows(): Promise<unknown> {
    const names = { runs: 'id', agents: 'id', agent_versions: 'agent_id' } as Record<string, string>;
    const tables = ['runs', 'steps', 'tool_calls', 'messages', 'run_events', 'agents', 'agent_versions'];
    return Promise.all(
      tables.map((table) =>
        truth.query(
          `SELECT to_jsonb(t) AS row FROM ${table} t
           WHERE tenant_id || ' ' || ${names[table] ?? 'run_id'} = ANY ($1) ORDER BY to_jsonb(t)`,
          [foreign.places],
        ),
      ),
    );
  }

  it('[T7] Of ten items those of runs elsewhere are not found, ids of other organizations mean nothing, and nothing changes there', async () => {
    const before = await rows();
    const run = randomUUID();
    const [sibling = '', stranger = ''] = foreign.runs;
    const items = [
      aRunStart(run, { agent: undefined, agent_id: own.agent }),
      aStepStart(sibling),
      aStepStart(run),
      aRunEnd(stranger),
      aRunEnd(sibling),
      { type: 'message', run_id: run, id: randomUUID(), at: at(1), role: 'user', content: 'Hi' },
      { type: 'message', run_id: stranger, id: randomUUID(), at: at(1), role: 'user', content: 'Hi' },
      aRunStart(sibling, { agent: undefined, agent_id: own.agent }),
      { type: 'tool_call.completed', run_id: run, id: foreign.call, at: at(1) },
      aRunEnd(run),
    ];
    const verdicts = await send(own.reporter, items);
    expect(verdicts.map(({ code, verdict }) => code ?? verdict)).toEqual([
      ...['created', 'not_found', 'created', 'updated', 'not_found', 'created', 'created', 'not_found'],
      ...['id_conflict', 'updated'],
    ]);
    expect(await rows()).toEqual(before);
    const mine = (await own.reporter.get(`/v1/runs/${run}?include=steps,messages,tool_calls`)).body;
    expect([
      mine.status,
      mine.steps.data.length,
      mine.messages.data.length,
      mine.tool_calls.data.length,
    ]).toEqual([...['succeeded', 1, 1, 0]]);
  });

  it.each([
    ['an agent elsewhere', () => ({ agent: undefined, agent_id: foreign.agent })],
    ['a parent elsewhere', () => ({ parent_run_id: foreign.runs[0] })],
    ['a project elsewhere', () => ({ project_id: randomUUID() })],
  ])(
    '[T7] [T4] An announcement that names %s is not found, whether its run is known or not',
    async (_what, members) => {
      const before = await rows();
      const [fresh, heardOf] = [randomUUID(), randomUUID()];
      const agent = { name: randomUUID(), adapter: 'custom' };
      await send(own.reporter, [aStepStart(heardOf)]);
      for (const run of [fresh, heardOf]) {
        const start = aRunStart(run, { agent, ...members() });
        const verdicts = await send(own.reporter, [start, aStepStart(run)]);
        expect(verdicts.map(({ code, verdict }) => code ?? verdict)).toEqual(['not_found', 'created']);
        const shown = (await own.reporter.get(`/v1/runs/${run}`)).body;
        expect([shown.parent_run_id, shown.project_id]).toEqual([null, own.project]);
      }
      expect(await rows()).toEqual(before);
    },
  );

  it('[T7] Steps that are referred to are looked for in their own run only', async () => {
    const [run, id] = [randomUUID(), randomUUID()];
    const verdicts = await send(own.reporter, [aStepStart(run, id, { parent_step_id: foreign.step })]);
    expect(verdicts).toEqual([{ verdict: 'created' }]);
    const { data } = (await own.reporter.get(`/v1/runs/${run}/steps`)).body;
    expect(data.map(({ node }: { node: string }) => node).sort()).toEqual(['plan', 'unannounced']);
    expect(await truth.count('steps', 'id = $1', [foreign.step])).toBe(2);
  });

  it('[T7] An agent key reports runs of its agent alone', async () => {
    const { key } = await aKey(api.admin, { scope: 'agent', agent_id: own.agent, role: 'reporter' });
    const [run, heardOf] = [randomUUID(), randomUUID()];
    const neighbour = await aRunningRun(api.admin, {
      agent_id: (await anAgent(api.admin, { project_id: own.project })).id,
    });
    const verdicts = await send(api.as(key), [
      aRunStart(run, { agent: undefined }),
      aStepStart(heardOf, undefined, { agent: { name: 'somebody else', adapter: 'custom' } }),
      aStepStart(neighbour.id),
      aRunStart(randomUUID(), { agent: undefined, agent_id: foreign.agent }),
    ]);
    expect(verdicts.map(({ code, verdict }) => code ?? verdict)).toEqual([
      'created',
      'created',
      'not_found',
      'not_found',
    ]);
    for (const id of [run, heardOf]) {
      expect((await api.admin.get(`/v1/runs/${id}`)).body.agent_id).toBe(own.agent);
    }
  });

  it('[T7] A key that may only read is refused whole, and so is none', async () => {
    const { key } = await aKey(api.admin, { scope: 'project', project_id: own.project, role: 'viewer' });
    const run = randomUUID();
    expect((await api.as(key).post('/v1/ingest', [aRunStart(run)])).status).toBe(403);
    expect((await api.as(undefined).post('/v1/ingest', [aRunStart(run)])).status).toBe(401);
    expect((await api.admin.get(`/v1/runs/${run}`)).status).toBe(404);
  });

  it('[I14] What is told of a deleted run is told that it is gone, and does not bring it back', async () => {
    const gone = await aFinishedRun(api.admin, { agent_id: own.agent });
    expect((await api.admin.delete(`/v1/runs/${gone.id}`)).status).toBe(204);
    const run = randomUUID();
    const verdicts = await send(own.reporter, [
      aRunStart(gone.id),
      aStepStart(gone.id),
      aRunStart(run, { agent: undefined, agent_id: own.agent }),
      aRunStart(randomUUID(), { agent: undefined, agent_id: own.agent, parent_run_id: gone.id }),
      aRunStart(randomUUID(), { agent: undefined, agent_id: own.agent, parent_run_id: randomUUID() }),
    ]);
    expect(verdicts.map(({ code, verdict }) => code ?? verdict)).toEqual([
      ...['run.deleted', 'run.deleted', 'created', 'not_found', 'created'],
    ]);
    expect((await api.admin.get(`/v1/runs/${gone.id}`)).status).toBe(404);
  });

  it('[T7] An id of a call that is taken elsewhere is a conflict, and tells nothing of it', async () => {
    const run = randomUUID();
    const call = { run_id: run, id: foreign.call, at: at(1), name: 'search' };
    const [started] = await send(own.reporter, [{ ...call, type: 'tool_call.started' }]);
    expect([started?.verdict, started?.code]).toEqual(['rejected', 'id_conflict']);
    expect(JSON.stringify(started)).not.toContain(foreign.runs[0]);
    expect((await api.admin.get(`/v1/runs/${run}`)).body.totals).toMatchObject({ tool_calls: 0 });
    await send(own.reporter, [aStepEnd(run, randomUUID())]);
  });
});
