import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { AgentDefinition } from '@agentflow/domain';
import type { AgentRow } from '../agent-row.js';
import { AGENT_COLUMNS } from './agent-columns.js';

export interface AgentDraft extends AgentDefinition {
  id: string;
  versionId: string;
  projectId: string;
  name: string;
}

/** `seen` tells whether the project is visible; without a row, it is the name that is taken. */
export interface InsertedAgent extends Partial<AgentRow> {
  seen: boolean;
}

const insertAgent = sql<InsertedAgent>(
  'insert-agent',
  `WITH project AS (
     SELECT id FROM projects WHERE tenant_id = $1 AND id = $4 AND ($2::uuid IS NULL OR id = $2) AND $3::uuid IS NULL
   ), agent AS (
     INSERT INTO agents (tenant_id, id, project_id, name, description, adapter, config)
     SELECT $1, $5, project.id, $6, $7, $8, $9 FROM project
     ON CONFLICT DO NOTHING
     RETURNING ${AGENT_COLUMNS}
   ), snapshot AS (
     INSERT INTO agent_versions (tenant_id, id, agent_id, version, adapter, config, description, note)
     SELECT $1, $10, id, version, adapter, config, description, 'initial' FROM agent
   )
   SELECT project.id IS NOT NULL AS seen, agent.* FROM (VALUES (1)) one
   LEFT JOIN project ON true LEFT JOIN agent ON true`,
);

/**
 * Writes an agent and its version 1. A taken name or an invisible project writes nothing, and two at once with one
 * name leave one: the second waits on the unique index.
 */
export async function insertNewAgent(tx: Transaction, draft: AgentDraft): Promise<InsertedAgent> {
  const row = await tx.row(insertAgent, [
    ...scopeColumns(tx.scope),
    draft.projectId,
    draft.id,
    draft.name,
    draft.description,
    draft.adapter,
    draft.config,
    draft.versionId,
  ]);
  return row as InsertedAgent;
}
