import { STEP_STATUSES, type StepStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import {
  AdapterName,
  Choice,
  Id,
  Integer,
  JsonObject,
  Money,
  Payload,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';

const MIB = 1024 * 1024;
const TOKENS = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** What both a new step and an update can say. */
class StepOutcome {
  @Choice({
    of: STEP_STATUSES,
    optional: true,
    description: 'Where the step stands. A new step is `running` by default.',
  })
  status?: StepStatus;

  @Payload({ optional: true, description: 'What came out of the step, as it was sent.' })
  output?: RawJson;

  @Text({ max: MIB, optional: true, description: 'What went wrong.' })
  error?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'The kind of error, such as an exception class.' })
  error_type?: string;

  @Integer({
    ...TOKENS,
    optional: true,
    description: 'Milliseconds. Computed when absent and both times are known.',
  })
  latency_ms?: number;

  @Integer({ ...TOKENS, optional: true, description: 'Tokens that a model read.' })
  tokens_in?: number;

  @Integer({ ...TOKENS, optional: true, description: 'Tokens that a model wrote.' })
  tokens_out?: number;

  @JsonObject({ optional: true, description: 'Finer counts, such as cached or reasoning tokens.' })
  token_details?: RawJson;

  @Money({ optional: true, description: 'US dollars, at most 10 decimals, as a number or as text.' })
  cost_usd?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'The model, by its own name.' })
  model?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'Who served the model.' })
  provider?: string;

  @JsonObject({ optional: true, description: 'Whatever else belongs to the step. An update replaces it.' })
  metadata?: RawJson;

  @Timestamp({ optional: true, description: 'When the step ended. Default, on a final status: now.' })
  ended_at?: string;
}

export class CreateStepDto extends StepOutcome {
  @Id({
    optional: true,
    description: 'The id of the step within its run. The same one again is the same step.',
  })
  id?: string;

  @Text({
    max: 256,
    min: 1,
    description: 'The node of the graph, or whatever the step is called.',
    example: 'plan',
  })
  node: string;

  @AdapterName({ optional: true, description: 'The kind of step, such as `agent`, `chain`, `llm`, `tool`.' })
  kind?: string;

  @Id({ optional: true, description: 'The step of the same run that this one belongs to.' })
  parent_step_id?: string;

  @Payload({ optional: true, description: 'What went into the step, as it was sent.' })
  input?: RawJson;

  @Text({ max: 256, min: 1, optional: true, description: 'The role of the agent that did the step.' })
  agent_role?: string;

  @Text({
    max: 64,
    min: 1,
    optional: true,
    description: 'The tier of the model, such as `fast` or `strong`.',
  })
  tier?: string;

  @Timestamp({ optional: true, description: 'When the step started. Default, for a running step: now.' })
  started_at?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'The id of the step elsewhere, such as a span id.' })
  external_id?: string;
}

export class ChangeStepDto extends StepOutcome {}
