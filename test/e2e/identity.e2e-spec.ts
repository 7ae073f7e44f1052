import {
  PERMISSIONS,
  ROLES,
  SCOPE_KINDS,
  type Permission,
  type Role,
  type ScopeKind,
} from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { keyMembers } from '../support/matrix/callers.js';
import { aPlace, type Place } from '../support/matrix/places.js';
import { aKey, aProject } from '../support/things.js';

/** The roles of the design, each with what it may beyond the one before. */
const MAY: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: [
    'identity:read',
    'organization:read',
    'projects:read',
    'agents:read',
    'keys:read',
    'prices:read',
    'runs:read',
  ],
  reporter: ['runs:report'],
  operator: ['runs:control'],
  admin: [
    'projects:create',
    'projects:manage',
    'agents:create',
    'agents:manage',
    'keys:manage',
    'audit:read',
    'prices:manage',
    'runs:delete',
  ],
};

/** What is out of reach for a scope whatever the role. */
const BEYOND: Readonly<Record<ScopeKind, readonly Permission[]>> = {
  organization: [],
  project: ['organization:read', 'projects:create', 'prices:manage'],
  agent: ['organization:read', 'projects:create', 'projects:manage', 'agents:create', 'prices:manage'],
};

describe('identity', () => {
  let api: TestApi;
  let home: Place;
  beforeAll(async () => {
    api = await anApi();
    const { organization } = (await api.admin.get('/v1/me')).body;
    const project = await aProject(api.admin);
    home = await aPlace({ organizationId: organization.id, admin: api.admin }, project.id, []);
  });
  afterAll(() => api.close());

  it('[T1] the permission table has no permission that the design does not give to a role', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual(ROLES.flatMap((role) => MAY[role]).sort());
  });

  describe.each(SCOPE_KINDS)('a key of the scope %s', (scope) => {
    it.each(ROLES)('[T1] in the role %s may what the design says, and is told so', async (role) => {
      const { key } = await aKey(api.admin, { ...keyMembers(scope, home), role });
      const { body } = await api.as(key).get('/v1/me');
      const may = ROLES.slice(0, ROLES.indexOf(role) + 1).flatMap((one) => MAY[one]);
      expect(body.permissions.toSorted()).toEqual(may.filter((one) => !BEYOND[scope].includes(one)).sort());
    });

    it('[T15] is told whose it is, by name, and no more than it may see', async () => {
      const { key, id, public_id } = await aKey(api.admin, { ...keyMembers(scope, home), role: 'viewer' });
      const { organization } = (await api.admin.get('/v1/me')).body;
      const [project, agent] = [
        (await api.admin.get(`/v1/projects/${home.projectId}`)).body,
        (await api.admin.get(`/v1/agents/${home.agentId}`)).body,
      ];
      const { permissions: _, ...told } = (await api.as(key).get('/v1/me')).body;
      expect(told).toEqual({
        organization,
        project: scope === 'organization' ? null : { id: project.id, name: project.name },
        agent: scope === 'agent' ? { id: agent.id, name: agent.name } : null,
        key: { id, public_id, scope, role: 'viewer', expires_at: null },
      });
    });
  });

  it("[T15] an agent's key is told the present name of its project, which it does not see otherwise", async () => {
    const { key } = await aKey(api.admin, { ...keyMembers('agent', home), role: 'admin' });
    const { name } = (await api.admin.patch(`/v1/projects/${home.projectId}`, { name: 'renamed' })).body;
    expect((await api.as(key).get('/v1/me')).body.project).toEqual({ id: home.projectId, name });
    expect((await api.as(key).get(`/v1/projects/${home.projectId}`)).status).toBe(404);
  });

  it('The limits are told to every key', async () => {
    const { key } = await aKey(api.admin, { ...keyMembers('agent', home), role: 'viewer' });
    expect((await api.as(key).get('/v1/limits')).body).toMatchObject({
      page_size: 200,
      request_bytes: 1_048_576,
    });
  });
});
