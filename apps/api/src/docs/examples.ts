import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_PAGES } from '../http/problem.js';
import { ANSWERS_OF_ADMINISTRATION, BODIES_OF_ADMINISTRATION } from './examples-of-administration.js';
import { ANSWERS_OF_RUNS, BATCH, BODIES_OF_RUNS } from './examples-of-runs.js';
import {
  AGENT,
  APPROVAL,
  AT,
  CONFIG,
  ENDED_AT,
  HASH,
  KEY,
  PROJECT,
  RUN,
  STEP,
  type Members,
} from './story.js';

interface Schema {
  example?: unknown;
  $ref?: string;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

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

/** The members of an answer that are its own, by schema. Whoever adds one is told by a test of the document what is missing. */
const ANSWERS: Readonly<Record<string, Members>> = { ...ANSWERS_OF_ADMINISTRATION, ...ANSWERS_OF_RUNS };
const BODIES: Readonly<Record<string, Members>> = { ...BODIES_OF_ADMINISTRATION, ...BODIES_OF_RUNS };

/** What some problems say beside what all of them say. */
const OF_PROBLEM: Partial<Record<ProblemCode, Members>> = {
  invalid_request: { errors: [{ pointer: '/name', detail: 'is missing' }] },
  version_mismatch: { current_version: 2 },
  'run.final': { current_state: 'cancelled' },
  'run.transition_refused': { current_state: 'pending', allowed: ['running', 'cancelled'] },
  'run.approvals_open': { open: [APPROVAL] },
  'approval.decided': {
    current_state: 'approved',
    decided_by: KEY,
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
