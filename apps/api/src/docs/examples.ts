import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_PAGES } from '../http/problem.js';

type Members = Readonly<Record<string, unknown>>;
interface Schema {
  example?: unknown;
  $ref?: string;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

/*
 * What the API page shows where a reader wants to see what it is like: one story, in every body and answer. A trip
 * planner of the project "travel" looks for flights to Lisbon. Whoever adds a member to an answer, or a body, is told by
 * a test of the document that its example is missing.
 */

const PROJECT = '01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10';
const AGENT = '01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21';
const RUN = '01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32';
const STEP = '01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43';
const TOOL_CALL = '01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54';
const APPROVAL = '01a22b4f-91a6-7d05-8c16-6bd7051fb9ba';
const HASH = '0f6b7bd4a5a52b9d2b3c1c3a7b6a3c1ff0f9a3b6ad2d7a5be2f1c4d8e9a7b650';
const AT = '2026-03-02T09:30:00.120000Z';
const ENDED_AT = '2026-03-02T09:30:02.443000Z';
const CONFIG = { model: 'gpt-4o-mini', temperature: 0.2 };
const FLIGHT = { flight: 'TP 535', eur: 119 };

/** What members are called the same in many answers, and mean the same. */
const EVERYWHERE: Members = {
  project_id: PROJECT,
  agent_id: AGENT,
  run_id: RUN,
  step_id: STEP,
  parent_run_id: null,
  parent_step_id: null,
  from_checkpoint_id: null,
  created_at: AT,
  updated_at: ENDED_AT,
  started_at: AT,
  ended_at: ENDED_AT,
  at: null,
  next_cursor: null,
  index: 0,
  adapter: 'langgraph',
  config: CONFIG,
  description: 'Looks for flights and hotels.',
  version: 2,
  agent_version: 2,
  status: 'succeeded',
  is_terminal: true,
  allowed_transitions: [],
  origin: null,
  session_id: 'thread-1',
  external_id: null,
  tags: ['trial'],
  quality_score: 0.9,
  error: null,
  error_type: null,
  metadata: { region: 'eu' },
  waiting_for: null,
  waiting_since: null,
  waited_ms: 0,
  resume_input: null,
  lease_expires_at: null,
  tokens_in: 412,
  tokens_out: 58,
  cost_usd: '0.0000966',
  model: 'gpt-4o-mini',
  provider: 'openai',
  latency_ms: 2323,
  expires_at: null,
  public_id: '4esMxcX0g9jF',
  slug: 'acme',
  settings: {},
};

const OF_RUN: Members = { id: RUN, name: 'trip to Lisbon', input: 'Where to in October?', output: 'Lisbon' };
const OF_HELD_RUN: Members = {
  ...OF_RUN,
  status: 'running',
  is_terminal: false,
  allowed_transitions: ['waiting_human', 'succeeded', 'failed', 'cancelled'],
  output: null,
  ended_at: null,
  lease_expires_at: '2026-03-02T09:31:00.120000Z',
  lease_token: '5b8e2c0d-3f6a-4d17-9c2b-8e1f7a604bba',
};
const OF_KEY: Members = {
  id: '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65',
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
const OF_APPROVAL: Members = {
  id: APPROVAL,
  tool_call_id: TOOL_CALL,
  kind: 'tool',
  status: 'approved',
  allowed: ['approve', 'edit', 'reject'],
  arguments_hash: HASH,
  assignee: 'travel desk',
  due_at: '2026-03-02T10:30:00.000000Z',
  on_due: 'reject',
  reason: 'It is cheap.',
  decided_by: '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65',
  decided_at: ENDED_AT,
  payload: FLIGHT,
  schema: { type: 'object', required: ['to'] },
  answer: null,
};
const OF_CHECKPOINT: Members = {
  id: '01a22b4f-7f14-7b83-9af4-49b5e3c17a98',
  label: 'before booking',
  state_bytes: 14,
  state: { seat: '12A' },
};

/** The members of an answer that are its own, by schema. */
const ANSWERS: Readonly<Record<string, Members>> = {
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
  StatusChange: { from: 'failed', to: 'succeeded' },
  WordChange: { from: 'the airline did not answer', to: null },
  CountChange: { from: 412, to: 380 },
  CostChange: { from: '0.0000966', to: '0.0000912' },
  OmittedDifferenceResponse: { pointer: '/offers', from_size: 20_480, to_size: null },
  PayloadDifferenceResponse: {
    added: {},
    removed: {},
    changed: { '/to': { from: 'LIS', to: 'OPO' } },
    untold: 0,
  },
  CallDifferenceResponse: { name: 'flights', a: TOOL_CALL, b: null },
  StepPlace: { id: STEP, index: 1 },
  AlignedStepResponse: { position: 1, node: 'search', kind: 'llm' },
  AlignmentResponse: { paired: 3, only_in_a: 0, only_in_b: 1, is_longest: true, left_out: 0 },
  RunComparisonResponse: { a: RUN, b: '01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c33' },
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
  RunTotalsResponse: { steps: 3, failed_steps: 0, tool_calls: 1, failed_tool_calls: 0, messages: 2 },
  RunSummary: OF_RUN,
  RunResponse: OF_RUN,
  RunWithChildrenResponse: OF_RUN,
  HeldRunResponse: OF_HELD_RUN,
  ClaimedRunResponse: OF_HELD_RUN,
  RecordedCallResponse: { call_id: TOOL_CALL, name: 'flights', arguments: { to: 'LIS' }, result: FLIGHT },
  RecordedCallsResponse: { is_complete: true },
  LineageResponse: { has_more: false },
  HeartbeatResponse: {
    status: 'running',
    cancel_requested: false,
    lease_expires_at: '2026-03-02T09:31:00.120000Z',
  },
  StepResponse: {
    id: STEP,
    node: 'search',
    kind: 'llm',
    input: { to: 'LIS' },
    output: FLIGHT,
    token_details: { cache_read_tokens: 128 },
    cost_source: 'computed',
    agent_role: null,
    tier: null,
    retry_count: 0,
  },
  MessageResponse: {
    id: '01a22b4f-6e03-7972-88e3-38a4d2b06fcb',
    role: 'assistant',
    name: null,
    content: 'Lisbon, for 119 EUR.',
    tool_call_id: null,
    extra: null,
  },
  ToolCallResponse: {
    id: TOOL_CALL,
    name: 'flights',
    arguments: { to: 'LIS' },
    result: FLIGHT,
    provider_call_id: 'call_1',
  },
  AuditActorResponse: {
    kind: 'key',
    key_id: '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65',
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
  ApprovalSummary: OF_APPROVAL,
  ApprovalResponse: OF_APPROVAL,
  BulkActionResponse: {
    id: '01a22b50-0b91-7c4e-9d25-7e1f3a5b8c60',
    action: 'retry',
    named: null,
    reason: 'the search was down',
    force: false,
    reuse: 'recorded_tool_results',
    created_by: '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65',
    cancel_reason: null,
    matched: 240,
    done: 239,
    failed: 0,
  },
  SkippedRunsResponse: { code: 'not_found', count: 1 },
  FailedRunResponse: { code: 'timeout' },
  BulkActionPreviewResponse: { action: 'retry', matched: 240, touched: 240, is_complete: true },
  CheckpointSummary: OF_CHECKPOINT,
  CheckpointResponse: OF_CHECKPOINT,
  VerdictResponse: {
    verdict: 'rejected',
    code: 'invalid_request',
    pointer: '/status',
    detail: 'is missing',
  },
  IngestCountsResponse: { created: 2, updated: 1, duplicate: 0, rejected: 1 },
};

const COMPLETION: Members = { result: FLIGHT };
const SAID: Members = { type: 'token.delta', text: 'Lis' };
const ASKED: Members = { kind: 'gate', payload: FLIGHT, assignee: 'travel desk' };

/** Bodies that are taken as they stand, where the ids in them are there. */
const BODIES: Readonly<Record<string, Members>> = {
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
  AgentReferenceDto: { name: 'planner', adapter: 'langgraph', config: CONFIG },
  CreateModelPriceDto: { model: 'our-llama', input: '0.2', output: '0.6', cache_read: '0.02' },
  CreateRunDto: {
    project_id: PROJECT,
    agent: { name: 'planner', adapter: 'langgraph', config: CONFIG },
    input: 'Where to in October?',
    start: true,
  },
  CopyRunDto: {
    input: 'Where to in November?',
    reuse: 'recorded_tool_results',
    reason: 'too hot in October',
  },
  ClaimRunDto: { agent: 'planner', lease_seconds: 60 },
  CreateBulkActionDto: {
    action: 'retry',
    filter: { agent_id: AGENT, status: ['failed'] },
    reason: 'the search was down',
  },
  RunFilterDto: { agent_id: AGENT, status: ['failed'] },
  StartRunDto: { lease_seconds: 60 },
  WaitRunDto: { question: '119 EUR. Book it?', approvals: [ASKED] },
  OpenApprovalDto: ASKED,
  DecideApprovalDto: { decision: 'approve', reason: 'It is cheap.' },
  ResumeRunDto: { input: { yes: true } },
  SucceedRunDto: { output: 'Lisbon' },
  FailRunDto: { error: 'the airline did not answer', error_type: 'TimeoutError' },
  CancelRunDto: { reason: 'changed my mind' },
  HeartbeatDto: { lease_token: '5b8e2c0d-3f6a-4d17-9c2b-8e1f7a604bba' },
  PostLiveDto: { items: [SAID, { type: 'log', level: 'info', text: 'asked the airline', step_id: STEP }] },
  LiveItemDto: SAID,
  CreateStepDto: {
    node: 'search',
    kind: 'llm',
    input: { to: 'LIS' },
    model: 'gpt-4o-mini',
    provider: 'openai',
  },
  ChangeStepDto: { status: 'succeeded', output: FLIGHT, tokens_in: 412, tokens_out: 58 },
  CreateMessageDto: { role: 'assistant', content: 'Lisbon, for 119 EUR.' },
  CreateToolCallDto: {
    step_id: STEP,
    name: 'flights',
    arguments: { to: 'LIS' },
    provider_call_id: 'call_1',
  },
  CompleteOldestToolCallDto: { name: 'flights', step_id: STEP, ...COMPLETION },
  CompleteToolCallDto: COMPLETION,
  CreateAgentToolCallDto: { name: 'flights', arguments: { to: 'LIS' }, ...COMPLETION },
  CreateCheckpointDto: { label: 'before booking', state: { seat: '12A' } },
};

/** A batch: a run with one step, from its beginning to its end. */
const BATCH = [
  {
    type: 'run.started',
    run_id: RUN,
    at: AT,
    agent: { name: 'planner', adapter: 'langgraph' },
    input: 'Where to?',
  },
  { type: 'step.started', run_id: RUN, id: STEP, at: AT, node: 'search', kind: 'llm', model: 'gpt-4o-mini' },
  {
    type: 'step.finished',
    run_id: RUN,
    id: STEP,
    at: ENDED_AT,
    output: FLIGHT,
    tokens_in: 412,
    tokens_out: 58,
  },
  { type: 'run.finished', run_id: RUN, at: ENDED_AT, status: 'succeeded', output: 'Lisbon' },
];

/** What some problems say beside what all of them say. */
const OF_PROBLEM: Partial<Record<ProblemCode, Members>> = {
  invalid_request: { errors: [{ pointer: '/name', detail: 'is missing' }] },
  version_mismatch: { current_version: 2 },
  'run.final': { current_state: 'cancelled' },
  'run.transition_refused': { current_state: 'pending', allowed: ['running', 'cancelled'] },
  'run.approvals_open': { open: [APPROVAL] },
  'approval.decided': {
    current_state: 'approved',
    decided_by: '01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65',
    decided_at: ENDED_AT,
  },
  'approval.stale': { arguments_hash: HASH },
  'step.transition_refused': { current_state: 'succeeded', allowed: [] },
  'tool_call.transition_refused': { current_state: 'succeeded', allowed: [] },
};

/** One example for each of the problems, to be referred to by its code. */
export function problemExamples(codes: readonly ProblemCode[]): Record<string, { value: Members }> {
  const exampleOf = (code: ProblemCode): { value: Members } => {
    const { title, status } = PROBLEMS[code];
    const instance = 'urn:uuid:a1c89b49-4fe3-4671-bdc1-7a7725aa70c4';
    return { value: { type: PROBLEM_PAGES + code, title, status, code, instance, ...OF_PROBLEM[code] } };
  };
  return Object.fromEntries(codes.map((code) => [code, exampleOf(code)]));
}

/** Gives every body, and every member of an answer, an example; what a declaration says itself stays. */
export function addExamples(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === 'Problem') continue; // Each problem has an example as a whole.
    if (name in BODIES) schema.example = BODIES[name];
    const members = { ...EVERYWHERE, ...ANSWERS[name] };
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      if (name in BODIES || isOther(property) || !(member in members)) continue;
      property.example ??= members[member];
    }
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { requestBody } = operation as { requestBody?: { content?: Record<string, { schema?: object }> } };
    for (const body of Object.values(requestBody?.content ?? {})) {
      if ('type' in (body.schema ?? {})) Object.assign(body, { example: BATCH });
    }
  }
}

/** Whether it is told by another schema, which has examples of its own. */
function isOther({ $ref, items, allOf = [], anyOf = [] }: Schema): boolean {
  return $ref !== undefined || [items, ...allOf, ...anyOf].some((one) => one?.$ref !== undefined);
}
