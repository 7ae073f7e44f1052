import { RUN_STATUSES, type RunStatus } from '@agentflow/contracts';
import type { TestApi } from '../api.js';
import type { Client } from '../client.js';
import { aCheckpoint, aKey, aMessage, aProject, aRunningRun, aStep, aToolCall, anAgent } from '../things.js';
import { aBulkAction, aModelPrice, aRun, anOrganization } from '../things.js';

/** A run with something of every kind below it. */
export interface RunOfPlace {
  readonly id: string;
  readonly status: RunStatus;
  readonly stepIds: readonly string[];
  readonly messageIds: readonly string[];
  readonly callIds: readonly string[];
  readonly checkpointIds: readonly string[];
  /** Of one that runs: what it asked and was answered. */
  readonly approvalId?: string;
}

/** An agent with two versions, a run in each status and a call outside runs, a key of its own, and where it lives. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly looseCallId: string;
  /** A price of the organization, which belongs to no agent of it. */
  readonly priceId: string;
  /** Asked for with a key of the agent. */
  readonly bulkActionId: string;
  readonly runs: readonly RunOfPlace[];
  /** The one that is running. */
  readonly run: RunOfPlace;
  /** The organization's admin. */
  readonly admin: Client;
}

/** Two organizations; the first has two projects, the first of which has two agents. */
export interface TenancyWorld {
  readonly own: Place;
  readonly siblingAgent: Place;
  readonly siblingProject: Place;
  readonly foreign: Place;
}

export const PLACES = ['own', 'siblingAgent', 'siblingProject', 'foreign'] as const;
export type PlaceName = (typeof PLACES)[number];

/** The world of the tests of tenancy, made through the API. */
export async function aTenancyWorld(api: TestApi): Promise<TenancyWorld> {
  const founded = await anOrganization(api.root);
  const other = api.as(founded.api_key.key as string);
  const me = (await api.admin.get('/v1/me')).body;
  const first = { organizationId: me.organization.id as string, admin: api.admin };
  const second = { organizationId: founded.id as string, admin: other };
  const project = (await aProject(api.admin)).id as string;
  return {
    own: await aPlace(first, project),
    siblingAgent: await aPlace(first, project),
    siblingProject: await aPlace(first, (await aProject(api.admin)).id as string),
    foreign: await aPlace(second, (await aProject(other)).id as string),
  };
}

/** One more agent, in a project of that organization, with a run in each of these statuses. */
export async function aPlace(
  { organizationId, admin }: Pick<Place, 'organizationId' | 'admin'>,
  projectId: string,
  statuses: readonly RunStatus[] = RUN_STATUSES,
): Promise<Place> {
  const agentId = (await anAgent(admin, { project_id: projectId })).id as string;
  await admin.patch(`/v1/agents/${agentId}`, { adapter: 'changed' });
  const looseCall = await admin.post(`/v1/agents/${agentId}/tool-calls`, { name: 'search' });
  const runs = await Promise.all(statuses.map((status) => aFullRun(admin, agentId, status)));
  const operator = await aKey(admin, { scope: 'agent', agent_id: agentId, role: 'operator' });
  return {
    organizationId,
    projectId,
    agentId,
    keyId: (await aKey(admin, { scope: 'agent', agent_id: agentId, role: 'viewer' })).id as string,
    looseCallId: looseCall.body.id as string,
    priceId: (await aModelPrice(admin)).id as string,
    bulkActionId: (await aBulkAction(admin, {}, operator.key as string)).id as string,
    runs,
    run: runs[statuses.indexOf('running')] as RunOfPlace,
    admin,
  };
}

/** What brings a running run with children into each status; the pending one was never started. */
const MOVES: Readonly<Record<RunStatus, string | undefined>> = {
  pending: undefined,
  running: undefined,
  waiting_human: 'wait',
  succeeded: 'succeed',
  failed: 'fail',
  cancelled: 'cancel',
};

/** A run in that status, with two steps, messages, tool calls and checkpoints. */
export async function aFullRun(admin: Client, agentId: string, status: RunStatus): Promise<RunOfPlace> {
  const make = status === 'pending' ? aRun : aRunningRun;
  const id = (await make(admin, { agent_id: agentId })).id as string;
  const parent = (await aStep(admin, id)).id as string;
  const child = (await aStep(admin, id, { parent_step_id: parent })).id as string;
  const below = { step_id: child };
  const stepIds = [parent, child];
  const [messageIds, callIds, checkpointIds] = [
    [(await aMessage(admin, id)).id as string, (await aMessage(admin, id, below)).id as string],
    [(await aToolCall(admin, id)).id as string, (await aToolCall(admin, id, below)).id as string],
    [(await aCheckpoint(admin, id)).id as string, (await aCheckpoint(admin, id, below)).id as string],
  ];
  const move = MOVES[status];
  if (move !== undefined) await admin.post(`/v1/runs/${id}/${move}`);
  const made = { id, status, stepIds, messageIds, callIds, checkpointIds };
  return status === 'running' ? { ...made, approvalId: await anAnswerTo(admin, id) } : made;
}

/** Lets a running run ask, and answers it, so that it runs as before. */
async function anAnswerTo(admin: Client, runId: string): Promise<string> {
  const { body } = await admin.post(`/v1/runs/${runId}/wait`, { approvals: [{ kind: 'gate' }] });
  const id = body.waiting_for.approvals[0].id as string;
  await admin.post(`/v1/approvals/${id}/decide`, { decision: 'approve' });
  return id;
}
