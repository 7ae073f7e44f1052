import type { RunCommand, RunOrigin, RunStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** Sums over a run's children, exact whatever their size. */
export interface RunTotals {
  next_step_index: number;
  failed_steps: number;
  tool_calls: number;
  failed_tool_calls: number;
  next_message_index: number;
  tokens_in: string;
  tokens_out: string;
  cost_usd: string;
}

/** A run as lists show it: without payloads. */
export interface RunSummaryRow extends RunTotals {
  id: string;
  project_id: string;
  agent_id: string;
  agent_version: number;
  adapter: string;
  status: RunStatus;
  name: string | null;
  tags: RawJson;
  error_type: string | null;
  session_id: string | null;
  external_id: string | null;
  parent_run_id: string | null;
  origin: RunOrigin | null;
  from_checkpoint_id: string | null;
  started_at: string | null;
  ended_at: string | null;
  /** Since when it waits for people; null while it does not. */
  waiting_since: string | null;
  /** How long it has waited before. */
  waited_ms: number;
  quality_score: string | null;
  created_at: string;
  updated_at: string;
}

/** A run as a whole. */
export interface RunRow extends RunSummaryRow {
  input: RawJson | null;
  output: RawJson | null;
  error: string | null;
  metadata: RawJson;
  waiting_for: RawJson | null;
  resume_input: RawJson | null;
  lease_seconds: number | null;
  lease_token: string | null;
  lease_expires_at: string | null;
  last_move: RunCommand | null;
}
