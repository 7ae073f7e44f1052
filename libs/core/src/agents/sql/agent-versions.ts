import { scopeColumns, sql, type Slice, type Transaction } from '@agentflow/database';
import type { AgentVersionRow } from '../agent-row.js';
import { VISIBLE_AGENT } from './agent-columns.js';

const COLUMNS = 'agent_id, version, adapter, config, description, note, created_at';
const OF_AGENT = `tenant_id = $1 AND agent_id = $4 AND EXISTS (SELECT FROM agents WHERE ${VISIBLE_AGENT} AND id = $4)`;

const oneVersion = sql<AgentVersionRow>(
  'find-agent-version',
  `SELECT ${COLUMNS} FROM agent_versions WHERE ${OF_AGENT} AND version = $5`,
);
const someVersions = sql<AgentVersionRow>(
  'list-agent-versions',
  `SELECT ${COLUMNS} FROM agent_versions WHERE ${OF_AGENT} AND version < $5
   ORDER BY version DESC LIMIT $6`,
);

/** Higher than every version, and still an integer of Postgres. */
const END = 2 ** 31 - 1;

export async function findVersion(
  tx: Transaction,
  agentId: string,
  version: number,
): Promise<AgentVersionRow | undefined> {
  return tx.row(oneVersion, [...scopeColumns(tx.scope), agentId, version]);
}

/** The history of an agent, newest version first. */
export async function listVersions(
  tx: Transaction,
  agentId: string,
  slice: Slice,
): Promise<AgentVersionRow[]> {
  return tx.rows(someVersions, [...scopeColumns(tx.scope), agentId, slice.after?.[0] ?? END, slice.limit]);
}
