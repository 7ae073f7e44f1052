import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { BulkActionRow } from '../bulk-action-row.js';
import { BULK_ACTION_COLUMNS, VISIBLE_BULK_ACTION } from './bulk-action-columns.js';

const cancel = sql<BulkActionRow>(
  'cancel-bulk-action',
  `UPDATE bulk_actions SET status = 'cancelled', cancel_reason = 'requested', ended_at = now(), updated_at = now()
   WHERE ${VISIBLE_BULK_ACTION} AND id = $4 AND ended_at IS NULL RETURNING ${BULK_ACTION_COLUMNS}`,
);

/** Stops it where it is: waits for the portion under way. No row when it has ended, or is out of sight. */
export async function cancelBulkAction(tx: Transaction, id: string): Promise<BulkActionRow | undefined> {
  return tx.row(cancel, [...scopeColumns(tx.scope), id]);
}
