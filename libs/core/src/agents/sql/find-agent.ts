import { scopeColumns, sql, type Slice, type Transaction } from '@agentflow/database';
import type { AgentRow } from '../agent-row.js';
import { AGENT_COLUMNS, REACHED_AGENT, VISIBLE_AGENT } from './agent-columns.js';

const byId = sql<AgentRow>(
  'find-agent',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT} AND id = $4`,
);
const byName = sql<AgentRow>(
  'find-agent-by-name',
  `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${REACHED_AGENT} AND deleting_since IS NULL AND name = $4`,
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

/** Sorts behind every agent that there is: a page from there is the first, and the index is entered right there. */
const END = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const select = `SELECT ${AGENT_COLUMNS} FROM agents WHERE ${VISIBLE_AGENT}`;
const page = `(created_at, id) < ($4::timestamptz, $5::uuid) ORDER BY created_at DESC, id DESC LIMIT $6`;

// A statement for each kind of scope: one for all would be planned for none, and read a whole tenant for a project.
const ofTenant = sql<AgentRow>('list-agents', `${select} AND ${page}`);
const ofProject = sql<AgentRow>('list-agents-of-project', `${select} AND project_id = $7 AND ${page}`);
const alone = sql<AgentRow>(
  'list-agents-of-agent',
  `${select} AND id = $7 AND ($8::uuid IS NULL OR project_id = $8) AND ${page}`,
);

/** The agents that the scope sees, newest first; of one project when one is named (`ix_agents_project_id`). */
export async function listAgents(tx: Transaction, slice: Slice, projectId?: string): Promise<AgentRow[]> {
  const { scope } = tx;
  const values = [...scopeColumns(scope), ...(slice.after ?? END), slice.limit];
  if (scope.kind === 'agent') return tx.rows(alone, [...values, scope.agentId, projectId ?? null]);
  const project = projectId ?? scope.projectId;
  return project === null ? tx.rows(ofTenant, values) : tx.rows(ofProject, [...values, project]);
}
