import { ROLES, type Role, type ScopeKind } from '@agentflow/contracts';
import { canMint, type KeyGrant } from './key-minting.js';

const TENANT = 'tenant-1';
const soon = '2026-01-01T00:00:00.000000Z';
const late = '2027-01-01T00:00:00.000000Z';

const organization = { scope: 'organization', projectId: null, agentId: null } as const;
const project = (projectId = 'p1') => ({ scope: 'project', projectId, agentId: null }) as const;
const agent = (agentId = 'a1', projectId = 'p1') => ({ scope: 'agent', projectId, agentId }) as const;

type Place = Pick<KeyGrant, 'scope' | 'projectId' | 'agentId'>;
const grant = (
  place: Place,
  role: Role = 'admin',
  expiresAt: string | null = null,
  tenantId = TENANT,
): KeyGrant => ({
  ...place,
  role,
  expiresAt,
  tenantId,
});
const outcome = (parent: KeyGrant, child: KeyGrant) => {
  const decision = canMint(parent, child);
  return decision.allowed ? 'allowed' : decision.reason;
};

describe('[K9] canMint', () => {
  it.each<[string, Place, Place, string]>([
    ['organization → organization', organization, organization, 'allowed'],
    ['organization → project', organization, project(), 'allowed'],
    ['organization → agent', organization, agent(), 'allowed'],
    ['project → organization', project(), organization, 'scope_wider'],
    ['project → itself', project(), project(), 'allowed'],
    ['project → sibling project', project(), project('p2'), 'target_outside'],
    ['project → its agent', project(), agent(), 'allowed'],
    ['project → sibling agent', project(), agent('a9', 'p2'), 'target_outside'],
    ['agent → organization', agent(), organization, 'scope_wider'],
    ['agent → its project', agent(), project(), 'scope_wider'],
    ['agent → itself', agent(), agent(), 'allowed'],
    ['agent → sibling agent', agent(), agent('a2'), 'target_outside'],
    ['agent → the same id in another project', agent(), agent('a1', 'p2'), 'target_outside'],
  ])('%s', (_, parent, child, expected) => {
    expect(outcome(grant(parent), grant(child))).toBe(expected);
  });

  it('never reaches another organization', () => {
    for (const child of [organization, project(), agent()]) {
      expect(outcome(grant(organization), grant(child, 'viewer', null, 'tenant-2'))).toBe('target_outside');
    }
  });

  it('gives no role above its own', () => {
    for (const [own, role] of ROLES.entries()) {
      for (const [other, childRole] of ROLES.entries()) {
        const expected = other <= own ? 'allowed' : 'role_higher';
        expect(outcome(grant(project(), role), grant(project(), childRole))).toBe(expected);
      }
    }
  });

  it.each<[string | null, string | null, string]>([
    [null, null, 'allowed'],
    [null, soon, 'allowed'],
    [late, soon, 'allowed'],
    [soon, soon, 'allowed'],
    [soon, late, 'lives_longer'],
    [soon, null, 'lives_longer'],
  ])('parent until %s, child until %s: %s', (parentEnd, childEnd, expected) => {
    expect(outcome(grant(project(), 'admin', parentEnd), grant(project(), 'admin', childEnd))).toBe(expected);
  });

  it.each<[string, KeyGrant]>([
    ['a project key without project', grant({ scope: 'project', projectId: null, agentId: null })],
    ['an agent key without agent', grant({ scope: 'agent', projectId: 'p1', agentId: null })],
    ['an organization key with a project', grant({ scope: 'organization', projectId: 'p1', agentId: null })],
    ['a project key with an agent', grant({ scope: 'project', projectId: 'p1', agentId: 'a1' })],
    ['an unknown scope', grant({ scope: '*' as ScopeKind, projectId: null, agentId: null })],
    ['a role in capitals', grant(project(), 'VIEWER' as Role)],
    ['no role', { ...grant(project()), role: undefined as unknown as Role }],
  ])('refuses %s', (_, child) => {
    expect(outcome(grant(organization), child)).toBe('scope_malformed');
  });

  it('is transitive: what a minted key mints, its parent could have minted', () => {
    const places: Place[] = [organization, project(), project('p2'), agent(), agent('a2'), agent('a9', 'p2')];
    const grants = places.flatMap((place) =>
      ROLES.flatMap((role) => [null, soon, late].map((end) => grant(place, role, end))),
    );
    for (const a of grants) {
      for (const b of grants.filter((each) => canMint(a, each).allowed)) {
        const beyond = grants.filter((each) => canMint(b, each).allowed && !canMint(a, each).allowed);
        expect(beyond).toEqual([]);
      }
    }
  });
});
