import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { MessageRow } from '../message-row.js';

export const MESSAGE_COLUMNS =
  'id, run_id, step_id, index, role, name, content, tool_call_id, extra, created_at';

const insertMessages = sql<MessageRow>(
  'insert-messages',
  `INSERT INTO messages (tenant_id, run_id, id, step_id, index, role, name, content, tool_call_id, extra)
   SELECT $1, run_id, id, step_id, index, role, name, content, tool_call_id, extra
   FROM json_to_recordset($2) AS m (run_id uuid, id uuid, step_id uuid, index integer, role text, name text,
     content text, tool_call_id text, extra json)
   RETURNING ${MESSAGE_COLUMNS}`,
);

/** Writes messages of held runs; an id written meanwhile violates `pk_messages`, which repeats the transaction. */
export async function writeMessages(
  tx: Transaction,
  messages: readonly Omit<MessageRow, 'created_at'>[],
): Promise<MessageRow[]> {
  return tx.rows(insertMessages, [tx.scope.tenantId, RawJson.trusted(encodeJson(messages))]);
}
