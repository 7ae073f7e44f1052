/** An agent's columns as `AgentRow` has them. */
export const AGENT_COLUMNS =
  'id, project_id, name, description, adapter, config, version, created_at, updated_at';

/** What a scope reaches of the agents, those in deletion too: `$1` tenant, `$2` project or null, `$3` agent or null. */
export const REACHED_AGENT = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
  AND ($3::uuid IS NULL OR id = $3)`;

/**
 * What a scope sees of the agents. Not simply `deleting_since IS NULL`, for that is what `uq_agents_tenant_name` is
 * limited to: a plan that was made while the table was empty would look for an id through all names of the tenant.
 */
export const VISIBLE_AGENT = `${REACHED_AGENT} AND (deleting_since IS NULL)::integer <> 0`;
