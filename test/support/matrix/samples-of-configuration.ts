import { randomUUID } from 'node:crypto';
import { aKey, aModelPrice } from '../things.js';
import { keyMembers } from './callers.js';
import { anAgentToEnd, aProjectToEnd, type Samples } from './sample.js';

const aName = (): string => `name ${randomUUID()}`;

/** Identity and configuration: organizations, keys, projects, agents and their versions. */
export const CONFIGURATION_SAMPLES: Samples = {
  'GET /v1/me': { needs: 'identity:read', status: 200 },
  'GET /v1/limits': { needs: 'identity:read', status: 200 },
  'POST /v1/organizations': {
    needs: 'organizations:create',
    status: 201,
    body: () => ({ name: aName(), slug: `o-${randomUUID()}` }),
  },
  'GET /v1/organization': { needs: 'organization:read', status: 200 },

  'POST /v1/api-keys': {
    needs: 'keys:manage',
    status: 201,
    body: (home, { scope }) => ({ name: aName(), role: 'viewer', ...keyMembers(scope, home) }),
  },
  'GET /v1/api-keys': { needs: 'keys:read', status: 200 },
  'GET /v1/api-keys/:key_id': { needs: 'keys:read', status: 200 },
  'DELETE /v1/api-keys/:key_id': {
    needs: 'keys:manage',
    status: 204,
    fresh: async (at) => ({
      params: { key_id: (await aKey(at.admin, keyMembers('agent', at))).id as string },
    }),
  },
  'POST /v1/api-keys/:key_id/rotate': {
    needs: 'keys:manage',
    status: 201,
    body: () => ({ grace_seconds: 60 }),
    fresh: async (at) => ({
      params: { key_id: (await aKey(at.admin, keyMembers('agent', at))).id as string },
    }),
  },

  'POST /v1/projects': { needs: 'projects:create', status: 201, body: () => ({ name: aName() }) },
  'GET /v1/projects': { needs: 'projects:read', status: 200 },
  'GET /v1/projects/:project_id': { needs: 'projects:read', status: 200 },
  'PATCH /v1/projects/:project_id': {
    needs: 'projects:manage',
    status: 200,
    body: () => ({ description: aName() }),
  },
  'DELETE /v1/projects/:project_id': {
    needs: 'projects:manage',
    status: 204,
    query: '?cascade=true',
    fresh: aProjectToEnd,
  },

  'GET /v1/audit-log': { needs: 'audit:read', status: 200 },

  'POST /v1/model-prices': {
    needs: 'prices:manage',
    status: 201,
    body: () => ({ model: aName(), input: 1, output: '2.5' }),
  },
  'GET /v1/model-prices': { needs: 'prices:read', status: 200 },
  'GET /v1/model-prices/:price_id': { needs: 'prices:read', status: 200 },
  'DELETE /v1/model-prices/:price_id': {
    needs: 'prices:manage',
    status: 204,
    fresh: async (at) => ({ params: { price_id: (await aModelPrice(at.admin)).id as string } }),
  },

  'POST /v1/agents': {
    needs: 'agents:create',
    status: 201,
    body: (home) => ({ project_id: home.projectId, name: aName(), adapter: 'custom' }),
  },
  'GET /v1/agents': { needs: 'agents:read', status: 200 },
  'GET /v1/agents/:agent_id': { needs: 'agents:read', status: 200 },
  'PATCH /v1/agents/:agent_id': {
    needs: 'agents:manage',
    status: 200,
    body: () => ({ description: aName() }),
  },
  'DELETE /v1/agents/:agent_id': { needs: 'agents:manage', status: 204, fresh: anAgentToEnd },

  'GET /v1/agents/:agent_id/versions': { needs: 'agents:read', status: 200 },
  'GET /v1/agents/:agent_id/versions/diff': { needs: 'agents:read', status: 200, query: '?from=1&to=2' },
  'GET /v1/agents/:agent_id/versions/:version': { needs: 'agents:read', status: 200 },
  'POST /v1/agents/:agent_id/versions/:version/restore': { needs: 'agents:manage', status: 200 },
};
