import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { TOOL_CALL_COLUMNS, type ToolCallRow } from '../tool-call-row.js';

/** What a completion writes, in full. */
export type ToolCallUpdate = Pick<
  ToolCallRow,
  'id' | 'status' | 'result' | 'error' | 'error_type' | 'latency_ms' | 'metadata' | 'ended_at'
>;

const completeToolCall = sql<ToolCallRow>(
  'complete-tool-call',
  `WITH c AS (
     SELECT * FROM json_to_record($2) AS c (status text, result json, error text, error_type text,
       latency_ms bigint, metadata jsonb, ended_at timestamptz)
   ), updated AS (
     UPDATE tool_calls t SET status = c.status, result = c.result, error = c.error, error_type = c.error_type,
       latency_ms = c.latency_ms, metadata = c.metadata, ended_at = c.ended_at, updated_at = now()
     FROM c WHERE t.tenant_id = $1 AND t.id = $3
     RETURNING t.*
   )
   SELECT ${TOOL_CALL_COLUMNS} FROM updated`,
);

/** Completes a tool call that this transaction holds. */
export async function completeToolCallRow(tx: Transaction, call: ToolCallUpdate): Promise<ToolCallRow> {
  const record = RawJson.trusted(encodeJson(call));
  return (await tx.row(completeToolCall, [tx.scope.tenantId, record, call.id])) as ToolCallRow;
}
