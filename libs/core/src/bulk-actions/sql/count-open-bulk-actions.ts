import { sql, type Transaction } from '@agentflow/database';

const hold = sql<never>(
  'hold-key-that-asks',
  `SELECT id FROM api_keys WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
);

const count = sql<{ count: number }>(
  'count-open-bulk-actions',
  `SELECT count(*)::integer AS count FROM bulk_actions
   WHERE tenant_id = $1 AND created_by = $2 AND status IN ('pending', 'running')`,
);

/**
 * How many a key has asked for that have not ended (`ix_bulk_actions_open`). The key is held until the transaction ends, so
 * that of several who ask with it at once each counts those before.
 */
export async function countOpenBulkActions(tx: Transaction, keyId: string): Promise<number> {
  const key = [tx.scope.tenantId, keyId];
  const [, row] = await tx.together(tx.run(hold, key), tx.row(count, key));
  return (row as { count: number }).count;
}
