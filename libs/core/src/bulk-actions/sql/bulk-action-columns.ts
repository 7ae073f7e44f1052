/** The columns of `BulkActionRow`. */
export const BULK_ACTION_COLUMNS = `id, project_id, agent_id, action, cardinality(ids) AS named, filter, reason, force, reuse,
  created_by, status, cancel_reason, done, failed, skipped, errors, started_at, ended_at, created_at, updated_at`;

/** What a scope sees of them: `$1` tenant, `$2` project or null, `$3` agent or null. */
export const VISIBLE_BULK_ACTION = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
  AND ($3::uuid IS NULL OR agent_id = $3)`;
