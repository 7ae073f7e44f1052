import type { ToolCallStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** A tool call as it is stored. */
export interface ToolCallRow {
  id: string;
  agent_id: string;
  run_id: string | null;
  step_id: string | null;
  name: string;
  status: ToolCallStatus;
  arguments: RawJson | null;
  result: RawJson | null;
  error: string | null;
  error_type: string | null;
  latency_ms: number | null;
  provider_call_id: string | null;
  metadata: RawJson;
  started_at: string | null;
  ended_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A tool call as it is reported: with a result, an error or a final status it is complete at once. */
export interface NewToolCall {
  id?: string;
  step_id?: string;
  name: string;
  status?: ToolCallStatus;
  arguments?: RawJson;
  result?: RawJson;
  error?: string;
  error_type?: string;
  latency_ms?: number;
  provider_call_id?: string;
  metadata?: RawJson;
  started_at?: string;
  ended_at?: string;
}

/** What a completion says. */
export type ToolCallCompletion = Pick<
  NewToolCall,
  'status' | 'result' | 'error' | 'error_type' | 'latency_ms' | 'metadata' | 'ended_at'
>;

/** The columns of `ToolCallRow`. */
export const TOOL_CALL_COLUMNS = `id, agent_id, run_id, step_id, name, status, arguments, result, error, error_type,
  latency_ms, provider_call_id, metadata, started_at, ended_at, created_at, updated_at`;
