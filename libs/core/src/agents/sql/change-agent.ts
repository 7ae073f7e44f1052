import { sql, type Transaction } from '@agentflow/database';
import type { AgentDefinition } from '@agentflow/domain';
import type { AgentRow } from '../agent-row.js';
import { AGENT_COLUMNS } from './agent-columns.js';

const renameAgent = sql<AgentRow>(
  'rename-agent',
  `UPDATE agents SET name = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2 RETURNING ${AGENT_COLUMNS}`,
);

const bumpAgent = sql<AgentRow>(
  'bump-agent',
  `WITH agent AS (
     UPDATE agents SET adapter = $3, config = $4, description = $5, version = version + 1, updated_at = now()
     WHERE tenant_id = $1 AND id = $2
     RETURNING ${AGENT_COLUMNS}
   ), snapshot AS (
     INSERT INTO agent_versions (tenant_id, id, agent_id, version, adapter, config, description, note)
     SELECT $1, $6, id, version, adapter, config, description, $7 FROM agent
   )
   SELECT * FROM agent`,
);

/** Renames an agent that this transaction has locked; no version comes of it. */
export async function rename(tx: Transaction, id: string, name: string): Promise<AgentRow> {
  return (await tx.row(renameAgent, [tx.scope.tenantId, id, name])) as AgentRow;
}

/** Gives a locked agent its next version and writes the snapshot of it. */
export async function bump(
  tx: Transaction,
  id: string,
  definition: AgentDefinition,
  snapshot: { id: string; note: string | null },
): Promise<AgentRow> {
  const { adapter, config, description } = definition;
  const values = [tx.scope.tenantId, id, adapter, config, description, snapshot.id, snapshot.note];
  return (await tx.row(bumpAgent, values)) as AgentRow;
}
