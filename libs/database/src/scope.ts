/**
 * Whose rows a transaction may touch. The ids come from the credential, never from the request's body.
 *
 * It is announced to Postgres at the start of every transaction (the net) and is the first argument of every
 * query (the rope).
 */
export type Scope =
  | { kind: 'organization'; tenantId: string; projectId: null; agentId: null }
  | { kind: 'project'; tenantId: string; projectId: string; agentId: null }
  | { kind: 'agent'; tenantId: string; projectId: string; agentId: string };

/** The id of what a scope spans: the organization, the project or the agent. */
export function scopeId(scope: Scope): string {
  return scope.agentId ?? scope.projectId ?? scope.tenantId;
}

/** An organization as a whole. */
export function organizationScope(tenantId: string): Scope {
  return { kind: 'organization', tenantId, projectId: null, agentId: null };
}

/**
 * The scope's columns as `[tenant_id, project_id | null, agent_id | null]`: what a query that begins with
 * `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR agent_id = $3)` binds.
 * An agent's scope names only the agent: a run keeps its project for ever, whereas an agent may move.
 */
export function scopeColumns(scope: Scope): [string, string | null, string | null] {
  return [scope.tenantId, scope.kind === 'project' ? scope.projectId : null, scope.agentId];
}
