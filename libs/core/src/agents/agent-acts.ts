import type { AuditAction } from '@agentflow/contracts';
import type { Transaction } from '@agentflow/database';
import type { Performer } from '../audit-log/act.js';
import { difference } from '../audit-log/difference.js';
import { recordAct } from '../audit-log/sql/record-acts.js';
import type { AgentRow } from './agent-row.js';

/** What the audit log tells of an agent. Its configuration may hold secrets: the version says which it was. */
const TOLD = ['name', 'description', 'adapter', 'version'] as const;

/** Writes down that an agent came to be. */
export function recordCreation(tx: Transaction, by: Performer, agent: AgentRow): Promise<void> {
  const { id, project_id, name, description, adapter, version } = agent;
  const after = { name, description, adapter, version };
  return recordAct(tx, by, {
    action: 'agent.created',
    entityId: id,
    projectId: project_id,
    agentId: id,
    after,
  });
}

/** Writes down that an agent was changed, when it was. */
export async function recordChange(
  tx: Transaction,
  by: Performer,
  action: AuditAction & `agent.${string}`,
  before: AgentRow,
  after: AgentRow,
): Promise<void> {
  const changed = difference(TOLD, before, after);
  if (!changed) return;
  const { id, project_id } = before;
  await recordAct(tx, by, { action, entityId: id, projectId: project_id, agentId: id, ...changed });
}

/** Writes down that the deletion of an agent has begun. */
export function recordDeletion(
  tx: Transaction,
  by: Performer,
  { id, project_id, name }: Pick<AgentRow, 'id' | 'project_id' | 'name'>,
): Promise<void> {
  const before = { name };
  return recordAct(tx, by, {
    action: 'agent.deleted',
    entityId: id,
    projectId: project_id,
    agentId: id,
    before,
  });
}
