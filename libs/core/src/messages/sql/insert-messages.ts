import { gathered, sql } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { rowOfEach } from '../../reporting/row-of-each.js';
import type { MessageRow } from '../message-row.js';

export const MESSAGE_COLUMNS =
  'id, run_id, step_id, index, role, name, content, tool_call_id, extra, at, created_at';

const insertMessages = sql<MessageRow>(
  'insert-messages',
  `INSERT INTO messages (tenant_id, run_id, id, step_id, index, role, name, content, tool_call_id, extra)
   SELECT $1, run_id, id, step_id, index, role, name, content, tool_call_id, extra
   FROM json_to_recordset($2) AS m (run_id uuid, id uuid, step_id uuid, index integer, role text, name text,
     content text, tool_call_id text, extra json)
   RETURNING ${MESSAGE_COLUMNS}`,
);

/** Writes a message of a held run; an id written meanwhile violates `pk_messages`, which repeats the transaction. */
export const writeMessage = gathered<Omit<MessageRow, 'created_at'>, MessageRow>({
  writes: true,
  carryOut: async (tx, messages) => {
    const rows = await tx.rows(insertMessages, [tx.scope.tenantId, RawJson.trusted(encodeJson(messages))]);
    return rowOfEach(messages, rows) as MessageRow[];
  },
});
