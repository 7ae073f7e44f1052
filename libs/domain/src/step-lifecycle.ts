import type { RunStatus, StepStatus, ToolCallStatus } from '@agentflow/contracts';

const STEP_MOVES: Readonly<Record<StepStatus, readonly StepStatus[]>> = {
  pending: ['running'],
  running: ['retrying', 'succeeded', 'failed', 'skipped', 'cancelled'],
  retrying: ['running'],
  succeeded: [],
  failed: [],
  skipped: [],
  cancelled: [],
};

const TOOL_CALL_MOVES: Readonly<Record<ToolCallStatus, readonly ToolCallStatus[]>> = {
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** The statuses that a step can move to from this one. */
export function stepTransitions(status: StepStatus): readonly StepStatus[] {
  return STEP_MOVES[status];
}

/** The statuses that a tool call can move to from this one. */
export function toolCallTransitions(status: ToolCallStatus): readonly ToolCallStatus[] {
  return TOOL_CALL_MOVES[status];
}

/** Whether the step has ended. */
export function isStepTerminal(status: StepStatus): boolean {
  return STEP_MOVES[status].length === 0;
}

/** Whether the tool call has ended. */
export function isToolCallTerminal(status: ToolCallStatus): boolean {
  return TOOL_CALL_MOVES[status].length === 0;
}

/**
 * What becomes of steps and tool calls that are still open, in whatever status, when their run ends so:
 * they fail or are cancelled with it. Undefined: they stay as they are (a run that succeeded with open
 * steps, or one that has not ended).
 */
export function closedWithRun(status: RunStatus): 'failed' | 'cancelled' | undefined {
  return status === 'failed' || status === 'cancelled' ? status : undefined;
}
