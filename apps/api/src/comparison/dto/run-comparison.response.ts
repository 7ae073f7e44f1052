import { RUN_STATUSES, STEP_STATUSES, TOOL_CALL_STATUSES } from '@agentflow/contracts';
import type { AlignedStep, RunChanges, RunComparison, StepChanges } from '@agentflow/core';
import { plainDecimal, type RawJson } from '@agentflow/domain';
import { ValueChange } from '../../agents/dto/agent-version.response.js';
import type { DtoClass } from '../../http/field.js';
import {
  AdapterName,
  Choice,
  Flag,
  Id,
  Integer,
  JsonObject,
  ListOf,
  MapOf,
  MoneyText,
  Nested,
  Text,
} from '../../http/field-kinds.js';
import { NextCursor } from '../../http/page.js';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const WORDS = [...new Set([...RUN_STATUSES, ...STEP_STATUSES, ...TOOL_CALL_STATUSES])];
const FROM = 'In the run compared from.';
const TO = 'In the run compared to.';

/** What differs between the two; `null` when nothing does. */
const Differing = (type: () => DtoClass, description: string): PropertyDecorator =>
  Nested(type, { nullable: true, description });

export class StatusChange {
  @Choice({ of: WORDS, description: FROM })
  from: string;

  @Choice({ of: WORDS, description: TO })
  to: string;
}

export class WordChange {
  @Text({ max: 1024 * 1024, nullable: true, description: FROM })
  from: string | null;

  @Text({ max: 1024 * 1024, nullable: true, description: TO })
  to: string | null;
}

export class CountChange {
  @Integer({ ...COUNT, nullable: true, description: FROM })
  from: number | null;

  @Integer({ ...COUNT, nullable: true, description: TO })
  to: number | null;
}

export class CostChange {
  @MoneyText({ nullable: true, description: FROM })
  from: string | null;

  @MoneyText({ nullable: true, description: TO })
  to: string | null;
}

export class OmittedDifferenceResponse {
  @Text({ max: 2048, description: 'Where, as a JSON Pointer.' })
  pointer: string;

  @Integer({ ...COUNT, nullable: true, description: 'How many characters it has in the run compared from.' })
  from_size: number | null;

  @Integer({ ...COUNT, nullable: true, description: 'How many characters it has in the run compared to.' })
  to_size: number | null;
}

export class PayloadDifferenceResponse {
  @JsonObject({ description: 'What only the second has: a map from JSON Pointer (RFC 6901) to value.' })
  added: Readonly<Record<string, RawJson>>;

  @JsonObject({ description: 'What only the first has: a map from JSON Pointer to value.' })
  removed: Readonly<Record<string, RawJson>>;

  @MapOf(() => ValueChange, { description: 'What differs: a map from JSON Pointer to the two values.' })
  changed: Readonly<Record<string, ValueChange>>;

  @ListOf(() => OmittedDifferenceResponse, { description: 'What differs and is too large to be told.' })
  omitted: readonly OmittedDifferenceResponse[];

  @Integer({ ...COUNT, description: 'How many differences more there are; fifty are told.' })
  untold: number;
}

export class RunChangesResponse {
  @Differing(() => WordChange, 'Whose runs they are, when it differs.')
  agent_id: WordChange | null;

  @Differing(() => CountChange, 'The versions of the agent, when they differ.')
  agent_version: CountChange | null;

  @Differing(() => StatusChange, 'Where they stand, when it differs.')
  status: StatusChange | null;

  @Differing(() => WordChange, 'What went wrong, when it differs.')
  error: WordChange | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the inputs.')
  input: PayloadDifferenceResponse | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the outputs.')
  output: PayloadDifferenceResponse | null;

  @Differing(() => CountChange, 'Milliseconds from start to end, when they differ.')
  duration_ms: CountChange | null;

  @Differing(() => CountChange, 'The numbers of steps, when they differ.')
  steps: CountChange | null;

  @Differing(() => CountChange, 'The numbers of failed steps, when they differ.')
  failed_steps: CountChange | null;

  @Differing(() => CountChange, 'The numbers of tool calls, when they differ.')
  tool_calls: CountChange | null;

  @Differing(() => WordChange, 'Tokens that models read, when they differ.')
  tokens_in: WordChange | null;

  @Differing(() => WordChange, 'Tokens that models wrote, when they differ.')
  tokens_out: WordChange | null;

  @Differing(() => CostChange, 'US dollars, when they differ.')
  cost_usd: CostChange | null;

  static of({ cost_usd, ...changes }: RunChanges): RunChangesResponse {
    return { ...changes, cost_usd: costChange(cost_usd) };
  }
}

export class CallDifferenceResponse {
  @Text({ max: 256, description: 'What was called.' })
  name: string;

  @Id({ nullable: true, description: 'The call of the first run; `null` when only the second has it.' })
  a: string | null;

  @Id({ nullable: true, description: 'The call of the second run; `null` when only the first has it.' })
  b: string | null;

  @Differing(() => StatusChange, 'Where they stand, when it differs.')
  status: StatusChange | null;

  @Differing(() => WordChange, 'What went wrong, when it differs.')
  error: WordChange | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the arguments.')
  arguments: PayloadDifferenceResponse | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the results.')
  result: PayloadDifferenceResponse | null;

  @Differing(() => CountChange, 'Milliseconds, when they differ.')
  latency_ms: CountChange | null;
}

export class StepChangesResponse {
  @Differing(() => StatusChange, 'Where they stand, when it differs.')
  status: StatusChange | null;

  @Differing(() => WordChange, 'What went wrong, when it differs.')
  error: WordChange | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the inputs.')
  input: PayloadDifferenceResponse | null;

  @Differing(() => PayloadDifferenceResponse, 'What differs between the outputs.')
  output: PayloadDifferenceResponse | null;

  @Differing(() => CountChange, 'Milliseconds, when they differ.')
  latency_ms: CountChange | null;

  @Differing(() => CountChange, 'Tokens that a model read, when they differ.')
  tokens_in: CountChange | null;

  @Differing(() => CountChange, 'Tokens that a model wrote, when they differ.')
  tokens_out: CountChange | null;

  @Differing(() => CostChange, 'US dollars, when they differ.')
  cost_usd: CostChange | null;

  @Differing(() => WordChange, 'The models, when they differ.')
  model: WordChange | null;

  @ListOf(() => CallDifferenceResponse, {
    description: 'The tool calls that differ, or that only one step has.',
  })
  tool_calls: CallDifferenceResponse[];

  static of({ cost_usd, ...changes }: StepChanges): StepChangesResponse {
    return { ...changes, cost_usd: costChange(cost_usd) };
  }
}

export class StepPlace {
  @Id({ description: 'The step.' })
  id: string;

  @Integer({ min: 0, max: 2 ** 31 - 1, description: 'Its place in its run.' })
  index: number;
}

export class AlignedStepResponse {
  @Integer({ ...COUNT, description: 'Its place among all of them, from 0.' })
  position: number;

  @Text({ max: 256, description: 'The node.' })
  node: string;

  @AdapterName({ nullable: true, description: 'The kind of step.' })
  kind: string | null;

  @Nested(() => StepPlace, { nullable: true, description: 'The step of the first run, when it has one.' })
  a: StepPlace | null;

  @Nested(() => StepPlace, { nullable: true, description: 'The step of the second run, when it has one.' })
  b: StepPlace | null;

  @Differing(
    () => StepChangesResponse,
    'What differs; `null` when nothing does, and for a step of one run only.',
  )
  changes: StepChangesResponse | null;

  static of({ changes, ...step }: AlignedStep): AlignedStepResponse {
    return { ...step, changes: changes && StepChangesResponse.of(changes) };
  }
}

export class AlignmentResponse {
  @Integer({ ...COUNT, description: 'Steps that both runs have.' })
  paired: number;

  @Integer({ ...COUNT, description: 'Steps that only the first run has.' })
  only_in_a: number;

  @Integer({ ...COUNT, description: 'Steps that only the second run has.' })
  only_in_b: number;

  @Flag({ description: 'Whether no other alignment would pair more; the search is bounded.' })
  is_longest: boolean;

  @Integer({ ...COUNT, description: 'Steps that are not compared: those behind the first 30,000 of a run.' })
  left_out: number;
}

export class RunComparisonResponse {
  @Id({ description: 'The first run, which is compared from.' })
  a: string;

  @Id({ description: 'The second run, which is compared to.' })
  b: string;

  @Nested(() => RunChangesResponse, { description: 'What differs between the runs as such.' })
  run: RunChangesResponse;

  @Nested(() => AlignmentResponse, { description: 'How their steps were aligned.' })
  steps: AlignmentResponse;

  @ListOf(() => AlignedStepResponse, { description: 'The steps of both, each once, in order.' })
  data: AlignedStepResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ a, b, run, steps, rows, nextCursor }: ComparisonPage): RunComparisonResponse {
    const data = rows.map((row) => AlignedStepResponse.of(row));
    return { a, b, run: RunChangesResponse.of(run), steps, data, next_cursor: nextCursor };
  }
}

export type ComparisonPage = RunComparison & { rows: AlignedStep[]; nextCursor: string | null };

function costChange(change: { from: string | null; to: string | null } | null): CostChange | null {
  return change && { from: plainCost(change.from), to: plainCost(change.to) };
}

function plainCost(cost: string | null): string | null {
  return cost === null ? null : plainDecimal(cost);
}
