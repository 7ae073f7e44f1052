import type { RunStatus, StepStatus, ToolCallStatus } from '@agentflow/contracts';
import type { Change, MeasuredPayload, PayloadDifference } from '@agentflow/domain';

/** A run, as far as it is compared. */
export interface ComparedRun {
  id: string;
  agent_id: string;
  agent_version: number;
  status: RunStatus;
  error: string | null;
  input: MeasuredPayload;
  output: MeasuredPayload;
  duration_ms: number | null;
  steps: number;
  failed_steps: number;
  tool_calls: number;
  tokens_in: string;
  tokens_out: string;
  cost_usd: string;
}

/** What a step is aligned by. */
export interface StepLabel {
  id: string;
  index: number;
  node: string;
  kind: string | null;
}

/** A step, as far as it is compared. */
export interface ComparedStep {
  id: string;
  status: StepStatus;
  error: string | null;
  input: MeasuredPayload;
  output: MeasuredPayload;
  latency_ms: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cost_usd: string | null;
  model: string | null;
}

/** A tool call of a step, as far as it is compared. */
export interface ComparedCall {
  id: string;
  step_id: string;
  name: string;
  status: ToolCallStatus;
  error: string | null;
  arguments: MeasuredPayload;
  result: MeasuredPayload;
  latency_ms: number | null;
}

/** Where a thing stands in its run. */
export type Place = Pick<StepLabel, 'id' | 'index'>;

/** What differs between two runs, apart from their steps. */
export interface RunChanges {
  agent_id: Change<string> | null;
  agent_version: Change<number> | null;
  status: Change<RunStatus> | null;
  error: Change<string | null> | null;
  input: PayloadDifference | null;
  output: PayloadDifference | null;
  duration_ms: Change<number | null> | null;
  steps: Change<number> | null;
  failed_steps: Change<number> | null;
  tool_calls: Change<number> | null;
  tokens_in: Change<string> | null;
  tokens_out: Change<string> | null;
  cost_usd: Change<string> | null;
}

export interface StepChanges {
  status: Change<StepStatus> | null;
  error: Change<string | null> | null;
  input: PayloadDifference | null;
  output: PayloadDifference | null;
  latency_ms: Change<number | null> | null;
  tokens_in: Change<number | null> | null;
  tokens_out: Change<number | null> | null;
  cost_usd: Change<string | null> | null;
  model: Change<string | null> | null;
  /** Those that differ, or are on one side only. */
  tool_calls: CallDifference[];
}

export interface CallDifference {
  name: string;
  a: string | null;
  b: string | null;
  status: Change<ToolCallStatus> | null;
  error: Change<string | null> | null;
  arguments: PayloadDifference | null;
  result: PayloadDifference | null;
  latency_ms: Change<number | null> | null;
}

/** A step of both runs, or of one. */
export interface AlignedStep {
  /** Among all of them, from 0. */
  position: number;
  node: string;
  kind: string | null;
  a: Place | null;
  b: Place | null;
  /** Null when nothing differs, and for a step of one run only. */
  changes: StepChanges | null;
}

/** How the steps of two runs were aligned. */
export interface AlignmentSummary {
  paired: number;
  only_in_a: number;
  only_in_b: number;
  /** Whether no other way would pair more. */
  is_longest: boolean;
  /** Steps behind those that are compared, of both runs. */
  left_out: number;
}

export interface RunComparison {
  a: string;
  b: string;
  run: RunChanges;
  steps: AlignmentSummary;
}
