import { MESSAGE_ROLES } from '../vocabulary.js';
import type { IngestItemType } from './items.js';

/** A JSON Schema (2020-12), as far as the items need one. */
export interface ItemSchema {
  type: 'object';
  description: string;
  required: string[];
  properties: Record<string, MemberSchema>;
  additionalProperties: false;
}

type MemberSchema = Readonly<Record<string, unknown>>;

const text = (maxLength: number, description: string): MemberSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const id = (description: string): MemberSchema => ({ type: 'string', format: 'uuid', description });
const word = (description: string): MemberSchema => ({
  type: 'string',
  pattern: '^[a-z0-9._-]{1,64}$',
  description,
});
const oneOf = (words: readonly string[], description: string): MemberSchema => ({
  type: 'string',
  enum: [...words],
  description,
});
const count = (description: string): MemberSchema => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
});
/**
 * `x-json` names the members that are kept as they were sent: `opaque` for any value, `structured` for an object,
 * `cost` for a decimal that is a number or a text.
 */
const payload = (description: string): MemberSchema => ({ 'x-json': 'opaque', description });
const object = (description: string): MemberSchema => ({ 'x-json': 'structured', description });

const NAME: MemberSchema = {
  type: 'string',
  format: 'name',
  description: 'The name of the agent: 1 to 128 characters.',
};

const AGENT: MemberSchema = {
  type: 'object',
  description: 'The agent by its name; on an item below a run only for a run that was not announced yet.',
  required: ['name', 'adapter'],
  properties: {
    name: NAME,
    adapter: word('What the agent reports through.'),
    config: object('Its configuration; a difference makes a new version.'),
    description: { type: ['string', 'null'], maxLength: 1_024, description: 'What it is for.' },
  },
  additionalProperties: false,
};

const OF_RUN = {
  run_id: id('The run. One that is not known yet is registered by whatever names it first.'),
  at: { type: 'string', format: 'date-time', description: 'When it happened, by the clock of the reporter.' },
};
const OF_RUN_ITSELF = { ...OF_RUN, id: id('The run again; may be left out.'), agent: AGENT };
const OF_ENTITY = {
  ...OF_RUN,
  id: id('Made by the reporter; the same one again is the same thing.'),
  agent: AGENT,
};

const ERROR = {
  error: text(64 * 1024, 'What went wrong, in words.'),
  error_type: text(256, 'The class of the error.'),
};

const FACTS = {
  output: payload('What came out, as it was sent.'),
  ...ERROR,
  tokens_in: count('Tokens that a model read.'),
  tokens_out: count('Tokens that a model wrote.'),
  token_details: object('Finer counts, such as cached or reasoning tokens.'),
  cost_usd: {
    'x-json': 'cost',
    description: 'US dollars, at most 10 decimals, as a number or text.',
  },
  model: text(256, 'The model, by its own name.'),
  provider: text(256, 'Who served the model.'),
  retry_count: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'How often it was tried again.',
  },
  metadata: object('Whatever else belongs to it.'),
};

function schema(
  type: IngestItemType,
  description: string,
  required: string[],
  properties: Record<string, MemberSchema>,
): ItemSchema {
  return {
    type: 'object',
    description,
    required: ['type', 'run_id', 'at', ...required],
    properties: { type: { const: type, description: 'What the item is.' }, ...properties },
    additionalProperties: false,
  };
}

/** The form of each type of item. What is not named is refused. */
export const INGEST_ITEM_SCHEMAS: Readonly<Record<IngestItemType, ItemSchema>> = {
  'run.started': schema('run.started', 'Announces a run: whose it is, and what it was given.', [], {
    ...OF_RUN_ITSELF,
    agent_id: id('The agent by its id, instead of `agent`.'),
    project_id: id('The project of an agent that is not known yet; needed with an organization key only.'),
    adapter: word('What the run is reported through. Default: the agent’s.'),
    name: text(256, 'What people call the run.'),
    input: payload('What the run was given, as it was sent.'),
    metadata: object('Whatever else belongs to the run.'),
    tags: {
      type: 'array',
      maxItems: 64,
      items: { type: 'string', minLength: 1, maxLength: 128 },
      description: 'Short labels.',
    },
    session_id: text(256, 'The conversation that the run belongs to.'),
    external_id: text(256, 'The id of the run elsewhere; unique per organization.'),
    parent_run_id: id('The run that this one was started by.'),
  }),
  'run.moved': schema('run.moved', 'The run waits for a human, or goes on.', ['status'], {
    ...OF_RUN_ITSELF,
    status: oneOf(['running', 'waiting_human'], 'Where it stands now.'),
    question: text(64 * 1024, 'With `waiting_human`: what is asked.'),
    payload: payload('With `waiting_human`: what the question is about.'),
    kind: text(64, 'With `waiting_human`: the kind of question.'),
    input: payload('With `running`: what was answered.'),
  }),
  'run.finished': schema('run.finished', 'The run has ended, at `at`.', ['status'], {
    ...OF_RUN_ITSELF,
    status: oneOf(['succeeded', 'failed', 'cancelled'], 'How it ended.'),
    output: payload('What came out, as it was sent.'),
    ...ERROR,
  }),
  'step.started': schema('step.started', 'Announces a step, which began at `at`.', ['id', 'node'], {
    ...OF_ENTITY,
    node: text(256, 'The node of the graph, or whatever the step is called.'),
    kind: word('The kind of step, such as `agent`, `chain`, `llm`.'),
    parent_step_id: id('The step of the same run that this one belongs to.'),
    input: payload('What went into the step, as it was sent.'),
    agent_role: text(256, 'The role of the agent that did the step.'),
    tier: text(64, 'The tier of the model, such as `fast` or `strong`.'),
    external_id: text(256, 'The id of the step elsewhere, such as a span id.'),
    status: oneOf(['pending', 'running'], 'Default: `running`.'),
    ...FACTS,
  }),
  'step.updated': schema('step.updated', 'Says more about a step that is under way.', ['id'], {
    ...OF_ENTITY,
    status: oneOf(['pending', 'running', 'retrying'], 'Where it stands now.'),
    ...FACTS,
  }),
  'step.finished': schema('step.finished', 'The step has ended, at `at`.', ['id'], {
    ...OF_ENTITY,
    status: oneOf(
      ['succeeded', 'failed', 'skipped', 'cancelled'],
      'How it ended. Default: `failed` with an error, `succeeded` otherwise.',
    ),
    latency_ms: count('How long it took, in milliseconds. Default: from start to end.'),
    ...FACTS,
  }),
  message: schema('message', 'A message, whole.', ['id', 'role'], {
    ...OF_ENTITY,
    role: oneOf(MESSAGE_ROLES, 'Who speaks.'),
    step_id: id('The step that it was said in.'),
    name: text(256, 'The name of the speaker.'),
    content: { type: ['string', 'null'], maxLength: 4 * 1024 * 1024, description: 'What was said.' },
    tool_call_id: text(256, 'The call that a tool answers.'),
    extra: payload('Whatever else came with it.'),
  }),
  'tool_call.started': schema(
    'tool_call.started',
    'Announces a tool call, which began at `at`.',
    ['id', 'name'],
    {
      ...OF_ENTITY,
      name: text(256, 'The tool.'),
      step_id: id('The step that called it.'),
      arguments: payload('What it was called with, as it was sent.'),
      provider_call_id: text(256, 'The id that the model gave the call.'),
      metadata: object('Whatever else belongs to it.'),
    },
  ),
  'tool_call.completed': schema('tool_call.completed', 'The tool call has ended, at `at`.', ['id'], {
    ...OF_ENTITY,
    status: oneOf(
      ['succeeded', 'failed', 'cancelled'],
      'How it ended. Default: `failed` with an error, `succeeded` otherwise.',
    ),
    result: payload('What it answered, as it was sent.'),
    ...ERROR,
    latency_ms: count('How long it took, in milliseconds. Default: from start to end.'),
    metadata: object('Whatever else belongs to it.'),
  }),
  checkpoint: schema('checkpoint', 'A checkpoint, whole.', ['id', 'state'], {
    ...OF_ENTITY,
    label: text(256, 'What people call it.'),
    step_id: id('The step after which it was taken.'),
    state: payload('The state, as it was sent.'),
  }),
};
