/** The columns of `StepRow`. */
export const STEP_COLUMNS = `id, run_id, index, node, kind, status, parent_step_id, input, output, error, error_type,
  latency_ms, tokens_in, tokens_out, token_details, cost_usd, cost_source, tokens_below, cost_below, model, provider,
  agent_role, tier, retry_count, metadata, started_at, ended_at, external_id, created_at, updated_at`;
