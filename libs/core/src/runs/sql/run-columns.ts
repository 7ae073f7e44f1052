/** The columns of `RunSummaryRow`. */
export const RUN_SUMMARY_COLUMNS = `id, project_id, agent_id, agent_version, adapter, status, name, tags, error_type,
  session_id, external_id, parent_run_id, origin, from_checkpoint_id, started_at, ended_at, waiting_since, waited_ms, quality_score,
  next_step_index, failed_steps, tool_calls, failed_tool_calls, next_message_index, tokens_in, tokens_out, cost_usd,
  created_at, updated_at`;

/** The columns of `RunRow`. */
export const RUN_COLUMNS = `${RUN_SUMMARY_COLUMNS}, input, output, error, metadata, waiting_for, resume_input,
  lease_seconds, lease_token, lease_expires_at, last_move`;

/** What a scope sees of the runs: `$1` tenant, `$2` project or null, `$3` agent or null. */
export const VISIBLE_RUN = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
  AND ($3::uuid IS NULL OR agent_id = $3)`;
