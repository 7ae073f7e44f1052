import { randomUUID } from 'node:crypto';
import type { TestApi } from '../api.js';
import {
  aFinishedRun,
  aBulkAction,
  aCheckpoint,
  aKey,
  aProject,
  aRun,
  aRunningRun,
  aStep,
  aToolCall,
  aWaitingRun,
  anAgent,
  anApproval,
} from '../things.js';
import { doorsOf, type Door } from './doors.js';

export type Members = Readonly<Record<string, unknown>>;

/** A request that a door accepts. */
export interface Sample {
  readonly path: string;
  readonly body: Members;
}

type Maker = (api: TestApi) => Promise<Sample>;

const name = (): string => `sample ${randomUUID()}`;
const post = (path: string, body: Members): Sample => ({ path, body });

const onAgent =
  (below: string, body: Members): Maker =>
  async (api) => {
    const agent = await anAgent(api.admin);
    return { path: `/v1/agents/${agent.id}${below}`, body };
  };
const onRun =
  (below: string, body: Members, make = aRunningRun): Maker =>
  async (api) => {
    const run = await make(api.admin);
    return { path: `/v1/runs/${run.id}${below}`, body };
  };

/** A valid request for every door that takes a body, by operation id. */
const SAMPLES: Readonly<Record<string, Maker>> = {
  organizations_found: async () => post('/v1/organizations', { name: name(), slug: `s-${randomUUID()}` }),
  apiKeys_create: async () => post('/v1/api-keys', { name: name(), scope: 'organization', role: 'viewer' }),
  apiKeys_rotate: async (api) => {
    const key = await aKey(api.admin, { scope: 'organization' });
    return { path: `/v1/api-keys/${key.id}/rotate`, body: { grace_seconds: 5 } };
  },
  projects_create: async () => post('/v1/projects', { name: name(), description: 'one' }),
  projects_change: async (api) => {
    const project = await aProject(api.admin);
    return { path: `/v1/projects/${project.id}`, body: { description: 'two' } };
  },
  modelPrices_create: async () => post('/v1/model-prices', { model: name(), input: 1, output: '2' }),
  agents_create: async (api) => {
    const project = await aProject(api.admin);
    return post('/v1/agents', { project_id: project.id, name: name(), adapter: 'custom', config: { a: 1 } });
  },
  agents_change: onAgent('', { config: { a: 2 }, note: 'why' }),
  agentVersions_restore: onAgent('/versions/1/restore', {}),
  agentToolCalls_add: onAgent('/tool-calls', { name: 'search', arguments: { a: 1 } }),
  agentToolCalls_complete: async (api) => {
    const agent = await anAgent(api.admin);
    const call = await api.admin.post(`/v1/agents/${agent.id}/tool-calls`, { name: 'search' });
    return { path: `/v1/agents/${agent.id}/tool-calls/${call.body.id}`, body: { result: 1 } };
  },
  runs_create: async (api) => {
    const agent = { name: name(), adapter: 'custom', config: {} };
    return post('/v1/runs', { agent, project_id: (await aProject(api.admin)).id, input: { a: 1 } });
  },
  runCopies_claim: async (api) => {
    const run = await aRun(api.admin);
    return post('/v1/runs/claim', { agent_id: run.agent_id, lease_seconds: 60 });
  },
  runCopies_retry: onRun('/retry', { input: { a: 1 }, reuse: 'none', reason: 'again' }, aFinishedRun),
  runCopies_fork: async (api) => {
    const run = await aRunningRun(api.admin);
    await aCheckpoint(api.admin, run.id);
    return { path: `/v1/runs/${run.id}/checkpoints/0/fork`, body: { input: { a: 1 } } };
  },
  live_post: onRun('/live', { items: [{ type: 'log', text: 'Hello', level: 'info', data: { a: 1 } }] }),
  bulkActions_create: async (api) => {
    const run = await aRun(api.admin);
    return post('/v1/bulk-actions', { action: 'retry', filter: { agent_id: run.agent_id }, reason: 'again' });
  },
  bulkActions_cancel: async (api) => ({
    path: `/v1/bulk-actions/${(await aBulkAction(api.admin)).id}/cancel`,
    body: {},
  }),
  runMoves_start: onRun('/start', { lease_seconds: 60 }, aRun),
  runMoves_wait: onRun('/wait', { question: 'May I?', payload: [1] }),
  approvals_decide: async (api) => {
    const { id } = await anApproval(api.admin);
    return post(`/v1/approvals/${id}/decide`, { decision: 'approve', reason: 'fine' });
  },
  runMoves_resume: onRun('/resume', { input: 'yes' }, aWaitingRun),
  runMoves_succeed: onRun('/succeed', { output: { a: 1 } }),
  runMoves_fail: onRun('/fail', { error: 'no' }),
  runMoves_cancel: onRun('/cancel', { reason: 'enough' }),
  runMoves_heartbeat: async (api) => {
    const run = await aRunningRun(api.admin, { lease_seconds: 60 });
    return { path: `/v1/runs/${run.id}/heartbeat`, body: { lease_token: run.lease_token } };
  },
  steps_add: onRun('/steps', { node: 'plan', input: { a: 1 } }),
  steps_change: async (api) => {
    const run = await aRunningRun(api.admin);
    const step = await aStep(api.admin, run.id);
    return { path: `/v1/runs/${run.id}/steps/${step.id}`, body: { output: { a: 1 } } };
  },
  messages_add: onRun('/messages', { role: 'user', content: 'Hello' }),
  toolCalls_add: onRun('/tool-calls', { name: 'search', arguments: { a: 1 } }),
  toolCalls_complete: async (api) => {
    const run = await aRunningRun(api.admin);
    const call = await aToolCall(api.admin, run.id);
    return { path: `/v1/runs/${run.id}/tool-calls/${call.id}`, body: { result: 1 } };
  },
  toolCalls_completeOldest: async (api) => {
    const run = await aRunningRun(api.admin);
    await aToolCall(api.admin, run.id);
    return { path: `/v1/runs/${run.id}/tool-calls/complete`, body: { name: 'search', result: 1 } };
  },
  checkpoints_add: onRun('/checkpoints', { label: 'here', state: { a: 1 } }),
};

/** A valid request for every door that takes a body. */
export async function samplesOfBodies(api: TestApi): Promise<Map<Door, Sample>> {
  const samples = new Map<Door, Sample>();
  for (const door of await doorsOf(api.url)) if (door.hasBody) samples.set(door, await aSample(api, door));
  if (samples.size === 0) throw new Error('no door takes a body: the document is not read right');
  return samples;
}

/** A valid request for a door; a door without one fails the test, so that a new door gets one. */
export async function aSample(api: TestApi, door: Door): Promise<Sample> {
  const make = SAMPLES[door.id];
  if (!make) throw new Error(`give ${door.id} a valid sample in test/support/doors/samples.ts`);
  return make(api);
}

/** The client that may use a door. */
export function clientFor(api: TestApi, door: Door): TestApi['admin'] {
  return door.path === '/v1/organizations' ? api.root : api.admin;
}
