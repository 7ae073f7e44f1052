import { sql, type Slice, type Transaction } from '@agentflow/database';
import type { MessageRow } from '../message-row.js';
import { MESSAGE_COLUMNS } from './insert-messages.js';

const byId = sql<MessageRow>(
  'find-message',
  `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE tenant_id = $1 AND run_id = $2 AND id = $3`,
);
const ascending = sql<MessageRow>(
  'list-messages',
  `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE tenant_id = $1 AND run_id = $2 AND index > $3
   ORDER BY index LIMIT $4`,
);
const descending = sql<MessageRow>(
  'list-messages-backwards',
  `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE tenant_id = $1 AND run_id = $2 AND index < $3
   ORDER BY index DESC LIMIT $4`,
);

/** A message of a run that the caller sees. */
export async function findMessage(
  tx: Transaction,
  runId: string,
  id: string,
): Promise<MessageRow | undefined> {
  return tx.row(byId, [tx.scope.tenantId, runId, id]);
}

/** A run's messages by index; the run has to be one that the caller sees. */
export async function listMessages(
  tx: Transaction,
  runId: string,
  slice: Slice,
  order: 'asc' | 'desc',
): Promise<MessageRow[]> {
  const [statement, start] = order === 'asc' ? [ascending, -1] : [descending, 2 ** 31 - 1];
  return tx.rows(statement, [tx.scope.tenantId, runId, slice.after?.[0] ?? start, slice.limit]);
}
