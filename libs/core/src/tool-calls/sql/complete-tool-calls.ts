import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { TOOL_CALL_COLUMNS, type ToolCallRow } from '../tool-call-row.js';

/** What a completion writes, in full. */
export type ToolCallUpdate = Pick<
  ToolCallRow,
  'id' | 'status' | 'result' | 'error' | 'error_type' | 'latency_ms' | 'metadata' | 'ended_at'
>;

const completeToolCalls = sql<ToolCallRow>(
  'complete-tool-calls',
  `WITH c AS (
     SELECT * FROM json_to_recordset($2) AS c (id uuid, status text, result json, error text, error_type text,
       latency_ms bigint, metadata jsonb, ended_at timestamptz)
   ), updated AS (
     UPDATE tool_calls t SET status = c.status, result = c.result, error = c.error, error_type = c.error_type,
       latency_ms = CASE WHEN c.latency_ms IS NULL AND c.ended_at IS NULL
         THEN greatest(0, floor(extract(epoch FROM now() - t.started_at) * 1000)) ELSE c.latency_ms END,
       metadata = c.metadata, ended_at = coalesce(c.ended_at, now()), updated_at = now()
     FROM c WHERE t.tenant_id = $1 AND t.id = c.id
     RETURNING t.*
   )
   SELECT ${TOOL_CALL_COLUMNS} FROM updated`,
);

/** Completes tool calls that this transaction holds. An end that was not dated is now; the latency follows. */
export async function completeToolCallRows(
  tx: Transaction,
  calls: readonly ToolCallUpdate[],
): Promise<ToolCallRow[]> {
  return tx.rows(completeToolCalls, [tx.scope.tenantId, RawJson.trusted(encodeJson(calls))]);
}
