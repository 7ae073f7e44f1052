import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { BulkActionRow, NewBulkAction } from '../bulk-action-row.js';
import { BULK_ACTION_COLUMNS } from './bulk-action-columns.js';

/** Before the first id, and behind the last run of a moment. */
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const insert = sql<BulkActionRow>(
  'insert-bulk-action',
  `INSERT INTO bulk_actions (tenant_id, id, scope, project_id, agent_id, action, ids, filter, reason, force, reuse,
     after_id, created_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   RETURNING ${BULK_ACTION_COLUMNS}`,
);

/** Writes down what is to be done, in the scope of the transaction, to runs that were created up to now. */
export async function insertBulkAction(
  tx: Transaction,
  id: string,
  { action, ids, filter, reason, force, reuse }: NewBulkAction,
  keyId: string,
): Promise<BulkActionRow> {
  const { tenantId, kind, projectId, agentId } = tx.scope;
  const row = await tx.row(insert, [
    ...[tenantId, id, kind, projectId, agentId, action],
    ids === undefined ? null : [...new Set(ids)].sort(),
    filter === undefined ? null : RawJson.trusted(encodeJson(filter)),
    ...[reason ?? null, force ?? false, reuse ?? null],
    ids === undefined ? HIGHEST : LOWEST,
    keyId,
  ]);
  return row as BulkActionRow;
}
