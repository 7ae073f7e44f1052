import { AGENT, CONFIG, ENDED_AT, KEY, PROJECT, type Members } from './story.js';

const OF_KEY: Members = {
  id: KEY,
  name: 'planner in production',
  scope: 'project',
  role: 'reporter',
  agent_id: null,
  hint: 'x3Kd',
  revoked_at: null,
  rotated_from: null,
  grace_until: null,
  created_by: '01a22b4c-7b2c-7e09-9b5f-2a6d4c1e3f76',
  last_used_at: ENDED_AT,
};
const OF_ORGANIZATION: Members = { id: '01a22b4c-0a1b-7d0a-8a4e-195c3b0d2e87', name: 'Acme' };

/** The members of answers about organizations, keys, projects, agents, prices and the audit log. */
export const ANSWERS_OF_ADMINISTRATION: Readonly<Record<string, Members>> = {
  NamedOrganization: OF_ORGANIZATION,
  OrganizationResponse: OF_ORGANIZATION,
  FoundedOrganizationResponse: OF_ORGANIZATION,
  NamedResponse: { id: PROJECT, name: 'travel' },
  OwnKeyResponse: OF_KEY,
  MeResponse: { permissions: ['identity:read', 'projects:read', 'agents:read', 'runs:read', 'runs:report'] },
  ApiKeyResponse: OF_KEY,
  NewApiKeyResponse: { ...OF_KEY, key: 'af_prj_4esMxcX0g9jF_…' },
  LimitsResponse: {
    request_bytes: 1_048_576,
    batch_bytes: 20_971_520,
    batch_items: 5_000,
    payload_bytes: 4_194_304,
    payload_depth: 64,
    page_size: 200,
    in_flight_bytes: 67_108_864,
    items_per_second_of_key: 0,
    items_per_second_of_organization: 0,
  },
  ProjectResponse: { id: PROJECT, name: 'travel', description: 'Everything about trips.' },
  AgentResponse: { id: AGENT, name: 'planner' },
  AgentVersionResponse: { note: 'larger model' },
  AgentDiffResponse: { from_version: 1, to_version: 2 },
  TextChange: { from: 'custom', to: 'langgraph' },
  ConfigDiffResponse: {
    added: { '/temperature': 0.2 },
    removed: {},
    changed: { '/model': { from: 'gpt-4o', to: 'gpt-4o-mini' } },
  },
  ValueChange: { from: 'gpt-4o', to: 'gpt-4o-mini' },
  ModelPriceResponse: {
    id: '01a22b4d-8d25-7a94-8bf5-5ac6f4d28ba9',
    model: 'our-llama',
    provider: null,
    input: '0.2',
    output: '0.6',
    cache_read: '0.02',
    cache_write: null,
    valid_from: null,
  },
  AuditActorResponse: {
    kind: 'key',
    key_id: KEY,
    name: 'travel desk',
    role: 'admin',
  },
  AuditEntryResponse: {
    id: '01a22b4f-a2b7-7e14-9d27-7ce8162fcacb',
    at: ENDED_AT,
    action: 'agent.changed',
    entity_type: 'agent',
    entity_id: AGENT,
    before: { version: 1 },
    after: { version: 2 },
    request_id: '771a07d7-5a35-42ff-85ce-8e504112cf41',
  },
};

/** Bodies that are taken as they stand, where the ids in them are there. */
export const BODIES_OF_ADMINISTRATION: Readonly<Record<string, Members>> = {
  CreateOrganizationDto: { name: 'Acme', slug: 'acme' },
  CreateApiKeyDto: {
    name: 'planner in production',
    scope: 'project',
    project_id: PROJECT,
    role: 'reporter',
  },
  RotateApiKeyDto: { grace_seconds: 3600 },
  CreateProjectDto: { name: 'travel', description: 'Everything about trips.' },
  ChangeProjectDto: { name: 'trips' },
  CreateAgentDto: { project_id: PROJECT, name: 'planner', adapter: 'langgraph', config: CONFIG },
  ChangeAgentDto: { config: CONFIG, note: 'larger model' },
  CreateModelPriceDto: { model: 'our-llama', input: '0.2', output: '0.6', cache_read: '0.02' },
};
