import { scopeColumns, sql, type Slice, type Transaction } from '@agentflow/database';
import type { AgentRow } from '../agent-row.js';
import { AGENT_COLUMNS, VISIBLE_AGENT } from './agent-columns.js';

const byId = sql<AgentRow>(
  'find-agent',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT} AND id = $4`,
);
const byName = sql<AgentRow>(
  'find-agent-by-name',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT} AND name = $4`,
);
const locked = sql<AgentRow>(
  'lock-agent',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT} AND id = $4 FOR NO KEY UPDATE`,
);

export async function findAgent(tx: Transaction, id: string): Promise<AgentRow | undefined> {
  return tx.row(byId, [...scopeColumns(tx.scope), id]);
}

export async function findAgentByName(tx: Transaction, name: string): Promise<AgentRow | undefined> {
  return tx.row(byName, [...scopeColumns(tx.scope), name]);
}

/** Holds the agent for this transaction: whoever bumps its version does so one after the other. */
export async function lockAgent(tx: Transaction, id: string): Promise<AgentRow | undefined> {
  return tx.row(locked, [...scopeColumns(tx.scope), id]);
}

const ofTenant = sql<AgentRow>(
  'list-agents',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT}
     AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
   ORDER BY created_at DESC, id DESC LIMIT $6`,
);
const ofProject = sql<AgentRow>(
  'list-agents-of-project',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT} AND project_id = $7
     AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
   ORDER BY created_at DESC, id DESC LIMIT $6`,
);

/** The agents that the scope sees, newest first; of one project when one is named (`ix_agents_project_id`). */
export async function listAgents(tx: Transaction, slice: Slice, projectId?: string): Promise<AgentRow[]> {
  const values = [...scopeColumns(tx.scope), slice.after?.[0] ?? null, slice.after?.[1] ?? null, slice.limit];
  return projectId === undefined ? tx.rows(ofTenant, values) : tx.rows(ofProject, [...values, projectId]);
}
