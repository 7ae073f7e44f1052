import type { Role, ScopeKind } from './vocabulary.js';

/** What a permission takes: at least this role, in a key of one of these scopes. */
export interface PermissionRule {
  readonly role: Role;
  readonly scopes: readonly ScopeKind[];
}

const EVERYWHERE = ['organization', 'project', 'agent'] as const satisfies readonly ScopeKind[];

/**
 * The permission table: every route names one of these, and the tests take their expectations from here.
 * A role includes the roles before it: viewer, reporter, operator, admin.
 */
export const PERMISSIONS = {
  'identity:read': { role: 'viewer', scopes: EVERYWHERE },
  'organization:read': { role: 'viewer', scopes: ['organization'] },
  'projects:read': { role: 'viewer', scopes: EVERYWHERE },
  'projects:create': { role: 'admin', scopes: ['organization'] },
  'projects:manage': { role: 'admin', scopes: ['organization', 'project'] },
  'agents:read': { role: 'viewer', scopes: EVERYWHERE },
  'agents:create': { role: 'admin', scopes: ['organization', 'project'] },
  'agents:manage': { role: 'admin', scopes: EVERYWHERE },
  'keys:read': { role: 'viewer', scopes: EVERYWHERE },
  'keys:manage': { role: 'admin', scopes: EVERYWHERE },
  'audit:read': { role: 'admin', scopes: EVERYWHERE },
  'prices:read': { role: 'viewer', scopes: EVERYWHERE },
  'prices:manage': { role: 'admin', scopes: ['organization'] },
  'runs:read': { role: 'viewer', scopes: EVERYWHERE },
  'runs:report': { role: 'reporter', scopes: EVERYWHERE },
  'runs:control': { role: 'operator', scopes: EVERYWHERE },
  'runs:delete': { role: 'admin', scopes: EVERYWHERE },
} as const satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof PERMISSIONS;

/** The operator's root key may do this, and nothing else; no other key may. */
export const OPERATOR_PERMISSION = 'organizations:create';

export type AnyPermission = Permission | typeof OPERATOR_PERMISSION;
