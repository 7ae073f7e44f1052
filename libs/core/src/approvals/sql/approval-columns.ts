/** The columns of `ApprovalSummaryRow`. */
export const APPROVAL_SUMMARY_COLUMNS = `id, run_id, project_id, agent_id, step_id, tool_call_id, kind, arguments_hash,
  allowed, assignee, due_at, on_due, status, reason, decided_by, decided_at, created_at, updated_at`;

/** The columns of `ApprovalRow`. */
export const APPROVAL_COLUMNS = `${APPROVAL_SUMMARY_COLUMNS}, payload, schema, answer, is_implicit`;

/** What a scope sees of the approvals: `$1` tenant, `$2` project or null, `$3` agent or null. */
export const VISIBLE_APPROVAL = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
  AND ($3::uuid IS NULL OR agent_id = $3)`;
