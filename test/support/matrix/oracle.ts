import { PERMISSIONS, type Permission, type Role } from '@agentflow/contracts';
import type { Caller } from './callers.js';
import type { Place } from './places.js';
import type { Sample } from './sample.js';
import { parametersOf, type Target } from './targets.js';

/** The order of the roles, as the design has it. */
const RANK: Readonly<Record<Role, number>> = { viewer: 0, reporter: 1, operator: 2, admin: 3 };

/**
 * What a request must be answered: a bad credential is 401; what is outside the scope or not there is 404; what is
 * inside the scope and not in the role is 403; all else is carried out. Lists are filtered and never refused, which
 * needs no rule: every role may read.
 */
export function expectedStatus(path: string, sample: Sample, caller: Caller, target: Target): number {
  if (caller.fate === 'refused') return 401;
  const names = parametersOf(path);
  const mayDo = isPermitted(caller, sample);
  if (wasSeen(caller, names, target.former) && mayDo && sample.isLateWrite) return 410;
  if (names.length > 0 && !wasSeen(caller, names, target.place)) return 404;
  return mayDo ? sample.status : 403;
}

function isPermitted({ fate, scope, role }: Caller, { needs }: Sample): boolean {
  if (needs === 'organizations:create' || fate === 'root')
    return needs === 'organizations:create' && fate === 'root';
  const rule: { role: Role; scopes: readonly string[] } = PERMISSIONS[needs satisfies Permission];
  return rule.scopes.includes(scope) && RANK[role] >= RANK[rule.role];
}

/** Whether a caller sees what these parameters name in a place. The operator sees nothing of any organization. */
function wasSeen({ fate, scope, home }: Caller, names: readonly string[], place: Place | undefined): boolean {
  if (place === undefined || fate === 'root' || place.organizationId !== home.organizationId) return false;
  if (scope === 'organization' || names.includes('price_id')) return true;
  if (scope === 'project') return place.projectId === home.projectId;
  return place.agentId === home.agentId && !names.includes('project_id');
}
