import { STEP_STATUSES, type StepStatus } from '@agentflow/contracts';
import { COST_SOURCES, type CostSource, type StepRow } from '@agentflow/core';
import { plainDecimal, type RawJson } from '@agentflow/domain';
import {
  AdapterName,
  Choice,
  Id,
  Integer,
  JsonObject,
  ListOf,
  MoneyText,
  Payload,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class StepResponse {
  @Id({ description: 'The step.' })
  id: string;

  @Id({ description: 'The run that it belongs to.' })
  run_id: string;

  @Integer({ min: 0, max: 2 ** 31 - 1, description: 'Its place in the run: from 0, without gaps.' })
  index: number;

  @Text({ max: 256, description: 'The node of the graph, or whatever the step is called.' })
  node: string;

  @AdapterName({ nullable: true, description: 'The kind of step.' })
  kind: string | null;

  @Choice({ of: STEP_STATUSES, description: 'Where the step stands.' })
  status: StepStatus;

  @Id({ nullable: true, description: 'The step of the same run that this one belongs to.' })
  parent_step_id: string | null;

  @Payload({ nullable: true, description: 'What went into the step, as it was sent.' })
  input: RawJson | null;

  @Payload({ nullable: true, description: 'What came out of the step, as it was sent.' })
  output: RawJson | null;

  @Text({ max: 1024 * 1024, nullable: true, description: 'What went wrong.' })
  error: string | null;

  @Text({
    max: 256,
    nullable: true,
    description: 'The kind of error; `run_ended` when the run failed around it.',
  })
  error_type: string | null;

  @Integer({ ...COUNT, nullable: true, description: 'Milliseconds.' })
  latency_ms: number | null;

  @Integer({ ...COUNT, nullable: true, description: 'Tokens that a model read.' })
  tokens_in: number | null;

  @Integer({ ...COUNT, nullable: true, description: 'Tokens that a model wrote.' })
  tokens_out: number | null;

  @JsonObject({ nullable: true, description: 'Finer counts.' })
  token_details: RawJson | null;

  @MoneyText({ nullable: true, description: 'US dollars.' })
  cost_usd: string | null;

  @Choice({
    of: COST_SOURCES,
    nullable: true,
    description:
      'Where the cost comes from: the reporter, the list price of the model, or a price of the organization. `null` without a cost.',
  })
  cost_source: CostSource | null;

  @Text({ max: 256, nullable: true, description: 'The model.' })
  model: string | null;

  @Text({ max: 256, nullable: true, description: 'Who served the model.' })
  provider: string | null;

  @Text({ max: 256, nullable: true, description: 'The role of the agent that did the step.' })
  agent_role: string | null;

  @Text({ max: 64, nullable: true, description: 'The tier of the model.' })
  tier: string | null;

  @Integer({ ...COUNT, description: 'How often the step was tried again.' })
  retry_count: number;

  @JsonObject({
    description:
      'Whatever else belongs to the step. `agentflow.flags` in it is ours: `ended_before_start`, `open_at_end`, `late`.',
  })
  metadata: RawJson;

  @Timestamp({ nullable: true, description: 'When the step started.' })
  started_at: string | null;

  @Timestamp({ nullable: true, description: 'When the step ended.' })
  ended_at: string | null;

  @Text({ max: 256, nullable: true, description: 'The id of the step elsewhere.' })
  external_id: string | null;

  @Timestamp({ description: 'When the step was reported.' })
  created_at: string;

  @Timestamp({ description: 'When the step was last updated.' })
  updated_at: string;

  static of({ tokens_below: _tokens, cost_below: _cost, cost_usd, ...row }: StepRow): StepResponse {
    return { ...row, cost_usd: cost_usd === null ? null : plainDecimal(cost_usd) };
  }
}

export class StepPage {
  @ListOf(() => StepResponse, { description: 'By index.' })
  data: StepResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<StepRow>): StepPage {
    return { data: rows.map((row) => StepResponse.of(row)), next_cursor: nextCursor };
  }
}
