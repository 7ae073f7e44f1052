import { ROLES, SCOPE_KINDS, type Role, type ScopeKind } from '@agentflow/contracts';
import { ROOT_KEY, type TestApi } from '../api.js';
import { aKey, aProject } from '../things.js';
import { aPlace, type Place, type TenancyWorld } from './places.js';

/** Somebody with a credential. */
export interface Caller {
  readonly name: string;
  readonly key: string | undefined;
  /** `refused`: the credential proves nothing. `root`: the operator. */
  readonly fate: 'works' | 'root' | 'refused';
  readonly scope: ScopeKind;
  readonly role: Role;
  /** Where the key belongs: it sees this place, or the project or organization around it. */
  readonly home: Place;
}

/** What an agent's, a project's or an organization's key is made out for. */
export function keyMembers(scope: ScopeKind, place: Place): Record<string, string> {
  if (scope === 'agent') return { scope, agent_id: place.agentId };
  return scope === 'project' ? { scope, project_id: place.projectId } : { scope };
}

/** A key of that scope and role around a place. */
export async function aCaller(scope: ScopeKind, role: Role, home: Place, name?: string): Promise<Caller> {
  const { key } = await aKey(home.admin, { ...keyMembers(scope, home), role });
  return { name: name ?? `${scope} ${role}`, key: key as string, fate: 'works', scope, role, home };
}

/** A key for every scope and role, and those that stand for something else. */
export async function allCallers(api: TestApi, world: TenancyWorld): Promise<Caller[]> {
  const grid = [];
  for (const scope of SCOPE_KINDS) for (const role of ROLES) grid.push(await aCaller(scope, role, world.own));
  return [
    ...grid,
    await aCaller('organization', 'admin', world.foreign, "another organization's admin"),
    await aCallerInGrace(world.own),
    { ...grid[0]!, name: 'the operator', key: ROOT_KEY, fate: 'root' },
    ...(await deadCallers(api, world)),
  ];
}

async function aCallerInGrace(home: Place): Promise<Caller> {
  const minted = await aKey(home.admin, { ...keyMembers('project', home), role: 'operator' });
  await home.admin.post(`/v1/api-keys/${minted.id}/rotate`, { grace_seconds: 3600 });
  const name = 'project operator, rotated and in its grace';
  return { name, key: minted.key as string, fate: 'works', scope: 'project', role: 'operator', home };
}

/** Keys that were good once, and what never was. */
async function deadCallers(api: TestApi, world: TenancyWorld): Promise<Caller[]> {
  const home = world.own;
  const { admin } = home;
  const admins = { scope: 'organization', role: 'admin' };
  const revoked = await aKey(admin, admins);
  await admin.delete(`/v1/api-keys/${revoked.id}`);
  const rotated = await aKey(admin, admins);
  await admin.post(`/v1/api-keys/${rotated.id}/rotate`, { grace_seconds: 0 });
  const expired = await aKey(admin, { ...admins, expires_at: '2026-01-01T00:00:00Z' });
  const doomed = await aPlace(home, (await aProject(admin)).id as string);
  const [ofAgent, ofProject] = [
    await aCaller('agent', 'admin', doomed),
    await aCaller('project', 'admin', doomed),
  ];
  await admin.delete(`/v1/projects/${doomed.projectId}?cascade=true`);
  const dead = (name: string, key: string | undefined): Caller => ({
    ...{ name, key, home },
    ...({ fate: 'refused', scope: 'organization', role: 'admin' } as const),
  });
  return [
    dead('nobody', undefined),
    dead('a revoked key', revoked.key as string),
    dead('an expired key', expired.key as string),
    dead('a rotated key after its grace', rotated.key as string),
    dead('the key of a deleted agent', ofAgent.key),
    dead('the key of a deleted project', ofProject.key),
    dead('a key with one character changed', flipped(api.adminKey)),
  ];
}

function flipped(key: string): string {
  const at = key.length - 20;
  return key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
}
