import type { TestApi } from '../api.js';
import type { Client } from '../client.js';
import { aKey, aProject, aRunningRun, aStep, anAgent } from '../things.js';

/** What a crowd stands around. */
export interface Middle {
  readonly tenantId: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** The run that gets thousands of everything. */
  readonly runId: string;
  /** The step of that run that gets hundreds of tool calls. */
  readonly stepId: string;
  /** The key that did most of what is told of. */
  readonly keyId: string;
}

export async function aMiddle({ admin }: TestApi): Promise<Middle> {
  const { id: projectId } = await aProject(admin);
  const { id: agentId, name: agentName } = await anAgent(admin, { project_id: projectId });
  const { id: runId } = await aRunningRun(admin, { agent_id: agentId });
  const { id: stepId } = await aStep(admin, runId);
  const { organization, key } = (await admin.get('/v1/me')).body;
  return { tenantId: organization.id, projectId, agentId, agentName, runId, stepId, keyId: key.id };
}

/** A client for each kind of key that sees the middle. */
export interface Keys {
  readonly organization: Client;
  readonly project: Client;
  readonly agent: Client;
}

export async function keysAt(api: TestApi, admin: Client, { projectId, agentId }: Middle): Promise<Keys> {
  const ofProject = await aKey(admin, { scope: 'project', project_id: projectId });
  const ofAgent = await aKey(admin, { scope: 'agent', agent_id: agentId });
  return {
    organization: api.as(admin.key),
    project: api.as(ofProject.key),
    agent: api.as(ofAgent.key),
  };
}
