import { gathered, sql } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { rowOfEach } from '../../reporting/row-of-each.js';
import { TOOL_CALL_COLUMNS, type ToolCallRow } from '../tool-call-row.js';

export type ToolCallDraft = Omit<ToolCallRow, 'created_at' | 'updated_at'>;

const insertToolCalls = sql<ToolCallRow>(
  'insert-tool-calls',
  `INSERT INTO tool_calls (tenant_id, id, agent_id, run_id, step_id, name, status, arguments, result, error, error_type,
     latency_ms, provider_call_id, metadata, started_at, ended_at)
   SELECT $1, id, agent_id, run_id, step_id, name, status, arguments, result, error, error_type, latency_ms,
     provider_call_id, metadata, started_at, ended_at
   FROM json_to_recordset($2) AS c (id uuid, agent_id uuid, run_id uuid, step_id uuid, name text, status text,
     arguments json, result json, error text, error_type text, latency_ms bigint, provider_call_id text, metadata jsonb,
     started_at timestamptz, ended_at timestamptz)
   ON CONFLICT (tenant_id, id) DO NOTHING
   RETURNING ${TOOL_CALL_COLUMNS}`,
);

/** Writes a tool call; nothing comes back when its id is taken, in or out of sight. */
export const writeToolCall = gathered<ToolCallDraft, ToolCallRow | undefined>({
  writes: true,
  carryOut: async (tx, calls) => {
    const rows = await tx.rows(insertToolCalls, [tx.scope.tenantId, RawJson.trusted(encodeJson(calls))]);
    return rowOfEach(calls, rows);
  },
});
