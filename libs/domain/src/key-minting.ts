import { type Role, ROLES, type ScopeKind, SCOPE_KINDS } from '@agentflow/contracts';

/** What a key can do: where, as whom, and until when. */
export interface KeyGrant {
  readonly tenantId: string;
  readonly scope: ScopeKind;
  /** The project of a project or agent key; for an agent key, the project that the agent is in. */
  readonly projectId: string | null;
  /** The agent of an agent key. */
  readonly agentId: string | null;
  readonly role: Role;
  /** In canonical text (see `parseTimestamp`), or null for never. */
  readonly expiresAt: string | null;
}

/**
 * Why a key may not mint another. `scope_malformed`: the ids do not fit the scope; `scope_wider`,
 * `role_higher`, `lives_longer`: more than the parent has; `target_outside`: a place that the parent does not
 * see, to be answered like one that does not exist.
 */
export type MintRefusal =
  'scope_malformed' | 'scope_wider' | 'target_outside' | 'role_higher' | 'lives_longer';

/** Whether `parent` may mint `child`. */
export type MintDecision =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: MintRefusal };

/**
 * The subset rule: a key mints only keys that see no wider, can do no more and live no longer than itself.
 * What is absent gives nothing: an unknown scope or role is refused, and a child without an end is refused
 * by a parent with one. The caller has looked the target up, so that `projectId` is the agent's true project.
 */
export function canMint(parent: KeyGrant, child: KeyGrant): MintDecision {
  const reason = refusalOf(parent, child);
  return reason === undefined ? { allowed: true } : { allowed: false, reason };
}

function refusalOf(parent: KeyGrant, child: KeyGrant): MintRefusal | undefined {
  if (!isWellFormed(parent) || !isWellFormed(child)) return 'scope_malformed';
  if (child.tenantId !== parent.tenantId) return 'target_outside';
  if (SCOPE_KINDS.indexOf(child.scope) < SCOPE_KINDS.indexOf(parent.scope)) return 'scope_wider';
  if (!isInside(parent, child)) return 'target_outside';
  if (ROLES.indexOf(child.role) > ROLES.indexOf(parent.role)) return 'role_higher';
  return livesLonger(parent, child) ? 'lives_longer' : undefined;
}

function isWellFormed({ scope, role, projectId, agentId }: KeyGrant): boolean {
  if (!SCOPE_KINDS.includes(scope) || !ROLES.includes(role)) return false;
  return (projectId !== null) === (scope !== 'organization') && (agentId !== null) === (scope === 'agent');
}

function isInside(parent: KeyGrant, child: KeyGrant): boolean {
  if (parent.scope === 'organization') return true;
  const isSameProject = child.projectId === parent.projectId;
  return isSameProject && (parent.scope === 'project' || child.agentId === parent.agentId);
}

function livesLonger(parent: KeyGrant, child: KeyGrant): boolean {
  return parent.expiresAt !== null && (child.expiresAt === null || child.expiresAt > parent.expiresAt);
}
