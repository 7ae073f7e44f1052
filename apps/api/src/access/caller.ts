import {
  OPERATOR_PERMISSION,
  PERMISSIONS,
  ROLES,
  SCOPE_KINDS,
  type AnyPermission,
  type Permission,
} from '@agentflow/contracts';
import type { Role } from '@agentflow/contracts';
import type { Reporter } from '@agentflow/core';
import type { Scope } from '@agentflow/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What a key tells of itself. */
export interface CallerKey {
  id: string;
  publicId: string;
  role: Role;
  expiresAt: string | null;
}

/** A thing that the caller may see, by name. */
export interface Named {
  id: string;
  name: string;
}

/** Whoever sent the request, as the credential proved it. */
export interface Caller extends Reporter {
  /** Absent for the operator, who holds no API key. */
  readonly key: CallerKey | undefined;
  readonly permissions: ReadonlySet<AnyPermission>;
  readonly organization: (Named & { slug: string }) | undefined;
  readonly project: Named | undefined;
  readonly agent: Named | undefined;
}

/** The permissions of a key: what its role includes, as far as its scope reaches. One set for all keys of a kind. */
export function permissionsOf(role: Role, scope: Scope['kind']): ReadonlySet<AnyPermission> {
  return GRANTED[role][scope];
}

const GRANTED = tableOf(ROLES, (role) => tableOf(SCOPE_KINDS, (scope) => granted(role, scope)));

function tableOf<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}

function granted(role: Role, scope: Scope['kind']): ReadonlySet<AnyPermission> {
  const rank = ROLES.indexOf(role);
  const permissions = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => {
    const rule = PERMISSIONS[permission];
    return ROLES.indexOf(rule.role) <= rank && (rule.scopes as readonly string[]).includes(scope);
  });
  return new Set<AnyPermission>(permissions);
}

/** The operator of the installation, by the root key: may found organizations, and sees none. */
export function operator(tenantId: string): Caller {
  return {
    scope: { kind: 'organization', tenantId, projectId: null, agentId: null },
    keyId: null,
    key: undefined,
    permissions: new Set([OPERATOR_PERMISSION]),
    organization: undefined,
    project: undefined,
    agent: undefined,
  };
}

/** Where the guard leaves the caller. */
export type AuthenticatedRequest = FastifyRequest & { user: Caller };

/** The caller, as a handler's argument. */
export const CurrentCaller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
