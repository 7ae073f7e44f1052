import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '@agentflow/database';
import pg, { type ClientBase } from 'pg';

/** Rows as SQL sees them, for tests of the database itself; everything else arranges through the API. */

export interface AgentRows {
  readonly tenantId: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly checkpointId: string;
}

/** Two organizations; the first has two projects, the first of which has two agents. */
export interface World {
  /** O1, P1, A1. */
  readonly own: AgentRows;
  /** O1, P1, A2. */
  readonly siblingAgent: AgentRows;
  /** O1, P2, A3. */
  readonly siblingProject: AgentRows;
  /** O2, Q1, B1. */
  readonly foreign: AgentRows;
}

/** Inserts a row and answers nothing; objects become JSON. */
export async function insert(client: ClientBase, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).map(pg.escapeIdentifier).join(', ');
  const places = Object.keys(row).map((_, i) => `$${i + 1}`);
  await client.query(`INSERT INTO ${table} (${columns}) VALUES (${places.join(', ')})`, Object.values(row));
}

/** At least one row in every table of a tenant for each agent of the world. Needs a superuser's connection. */
export async function aWorld(client: ClientBase): Promise<World> {
  const [organization, other] = [await anOrganization(client), await anOrganization(client)];
  const [project, second] = [await aProject(client, organization), await aProject(client, organization)];
  return {
    own: await anAgent(client, organization, project),
    siblingAgent: await anAgent(client, organization, project),
    siblingProject: await anAgent(client, organization, second),
    foreign: await anAgent(client, other, await aProject(client, other)),
  };
}

/** Whose rows a transaction shows, and what its settings must be for that. */
export async function announce(client: ClientBase, scope: Scope): Promise<void> {
  await client.query(
    `SELECT set_config('agentflow.tenant_id', $1, true), set_config('agentflow.scope', $2, true),
       set_config('agentflow.project_id', $3, true), set_config('agentflow.agent_id', $4, true)`,
    [scope.tenantId, scope.kind, scope.projectId ?? '', scope.agentId ?? ''],
  );
}

/** The scope of an agent's key, of its project's, or of its organization's. */
export function scopeOf(rows: AgentRows, kind: Scope['kind']): Scope {
  const { tenantId, projectId, agentId } = rows;
  if (kind === 'agent') return { kind, tenantId, projectId, agentId };
  if (kind === 'project') return { kind, tenantId, projectId, agentId: null };
  return { kind, tenantId, projectId: null, agentId: null };
}

async function anOrganization(client: ClientBase): Promise<string> {
  const id = randomUUID();
  await insert(client, 'organizations', { id, slug: aName(), name: aName() });
  await aKey(client, { tenant_id: id, scope: 'organization' });
  await insert(client, 'model_prices', {
    tenant_id: id,
    id: randomUUID(),
    model: aName(),
    input: 1,
    output: 2,
  });
  await anIdempotencyKey(client, id, id);
  return id;
}

async function aProject(client: ClientBase, tenantId: string): Promise<string> {
  const id = randomUUID();
  await insert(client, 'projects', { tenant_id: tenantId, id, name: aName() });
  await aKey(client, { tenant_id: tenantId, scope: 'project', project_id: id });
  await anIdempotencyKey(client, tenantId, id);
  return id;
}

async function anAgent(client: ClientBase, tenant_id: string, project_id: string): Promise<AgentRows> {
  const agent_id = randomUUID();
  const content = { adapter: 'langgraph', config: {} };
  await insert(client, 'agents', { tenant_id, id: agent_id, project_id, name: aName(), ...content });
  await insert(client, 'agent_versions', { tenant_id, id: randomUUID(), agent_id, version: 1, ...content });
  await aRotatedKey(client, { tenant_id, scope: 'agent', project_id, agent_id });
  await anIdempotencyKey(client, tenant_id, agent_id);
  const told = { actor: 'system', action: 'agent.created', entity_type: 'agent', entity_id: agent_id };
  await insert(client, 'audit_log', { tenant_id, id: randomUUID(), project_id, agent_id, ...told });
  await aBulkAction(client, { tenant_id, scope: 'agent', project_id, agent_id });
  await insert(client, 'deleted_runs', { tenant_id, run_id: randomUUID(), project_id, agent_id });
  await aToolCall(client, { tenant_id, agent_id });
  const parent = await aRun(client, { tenant_id, project_id, agent_id });
  const run = await aRun(client, {
    ...{ tenant_id, project_id, agent_id, parent_run_id: parent.runId, origin: 'fork' },
    from_checkpoint_id: parent.checkpointId,
  });
  return { tenantId: tenant_id, projectId: project_id, agentId: agent_id, ...run };
}

async function aRun(
  client: ClientBase,
  row: { tenant_id: string; project_id: string; agent_id: string } & Record<string, unknown>,
): Promise<Pick<AgentRows, 'runId' | 'stepId' | 'checkpointId'>> {
  const { tenant_id, project_id, agent_id } = row;
  const [run_id, parent_step_id, step_id, checkpointId] = Array.from({ length: 4 }, () => randomUUID());
  await insert(client, 'runs', {
    ...{ ...row, id: run_id, agent_version: 1, adapter: 'langgraph', status: 'running' },
    external_id: aName(),
  });
  const child = { tenant_id, run_id };
  const step = { ...child, node: 'plan', status: 'running' };
  await insert(client, 'steps', { ...step, id: parent_step_id, index: 0 });
  await insert(client, 'steps', { ...step, id: step_id, index: 1, parent_step_id });
  await insert(client, 'messages', { ...child, id: randomUUID(), index: 0, role: 'user', step_id });
  const tool_call_id = await aToolCall(client, { ...child, agent_id, step_id });
  const asked = { project_id, agent_id, step_id, tool_call_id, kind: 'tool', allowed: '["approve"]' };
  await insert(client, 'approvals', { ...child, id: randomUUID(), index: 0, ...asked });
  const checkpoint = { id: checkpointId, index: 0, state: {}, state_bytes: 2, step_id };
  await insert(client, 'checkpoints', { ...child, ...checkpoint });
  const report = { id: randomUUID(), dialect: 'otlp', mapping_version: 1, body: Buffer.from('{}') };
  await insert(client, 'received_reports', { ...child, ...report });
  await insert(client, 'run_events', { ...child, seq: 1, type: 'run.created', data: {} });
  return { runId: run_id as string, stepId: step_id as string, checkpointId: checkpointId as string };
}

async function aToolCall(client: ClientBase, row: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  await insert(client, 'tool_calls', { ...row, id, name: 'search', status: 'running' });
  return id;
}

async function aRotatedKey(client: ClientBase, row: Record<string, unknown>): Promise<void> {
  const id = await aKey(client, row);
  await aKey(client, { ...row, rotated_from: id, created_by: id });
}

async function aKey(client: ClientBase, row: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  const public_id = randomBytes(6).toString('hex');
  const secret = { public_id, hint: public_id, digest: randomBytes(32) };
  await insert(client, 'api_keys', { ...row, id, role: 'viewer', name: aName(), ...secret });
  return id;
}

async function aBulkAction(client: ClientBase, row: Record<string, unknown>): Promise<void> {
  const asked = { action: 'cancel', ids: [randomUUID()], after_id: randomUUID(), created_by: randomUUID() };
  await insert(client, 'bulk_actions', { ...row, id: randomUUID(), ...asked });
}

async function anIdempotencyKey(client: ClientBase, tenant_id: string, scope_id: string): Promise<void> {
  const request = { method: 'POST', route: '/v1/runs', request_digest: randomBytes(32) };
  await insert(client, 'idempotency_keys', { tenant_id, scope_id, key: aName(), ...request });
}

function aName(): string {
  return `n${randomBytes(6).toString('hex')}`;
}
