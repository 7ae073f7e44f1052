import type { Role, ScopeKind } from '@agentflow/contracts';

/** A key's record: everything but what proves it. */
export interface ApiKeyRow {
  id: string;
  scope: ScopeKind;
  project_id: string | null;
  agent_id: string | null;
  role: Role;
  name: string;
  public_id: string;
  hint: string;
  expires_at: string | null;
  revoked_at: string | null;
  rotated_from: string | null;
  grace_until: string | null;
  created_by: string | null;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The columns of `ApiKeyRow`, which the api may read; the digest is not among them. */
export const API_KEY_COLUMNS = `id, scope, project_id, agent_id, role, name, public_id, hint, expires_at, revoked_at,
  rotated_from, grace_until, created_by, last_used_at, created_at, updated_at`;
