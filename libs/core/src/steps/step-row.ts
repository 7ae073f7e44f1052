import type { StepStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import type { CostSource } from '../pricing/price-step.js';

/** A step as it is stored. */
export interface StepRow {
  id: string;
  run_id: string;
  index: number;
  node: string;
  kind: string | null;
  status: StepStatus;
  parent_step_id: string | null;
  input: RawJson | null;
  output: RawJson | null;
  error: string | null;
  error_type: string | null;
  latency_ms: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  token_details: RawJson | null;
  cost_usd: string | null;
  /** Where the cost comes from; `null` without a cost. */
  cost_source: CostSource | null;
  /** A step below this one says its tokens, which are counted instead of these. */
  tokens_below: boolean;
  /** A step below this one says its cost, which is counted instead of this one. */
  cost_below: boolean;
  model: string | null;
  provider: string | null;
  agent_role: string | null;
  tier: string | null;
  retry_count: number;
  metadata: RawJson;
  started_at: string | null;
  ended_at: string | null;
  external_id: string | null;
  created_at: string;
  updated_at: string;
}

/** The step as its reporter stated it: a cost that was computed for him is none of his. */
export function asReported(step: StepRow): StepRow {
  return step.cost_source === 'reported' ? step : { ...step, cost_usd: null };
}
