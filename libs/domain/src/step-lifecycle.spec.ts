import { RUN_STATUSES, STEP_STATUSES, TOOL_CALL_STATUSES } from '@agentflow/contracts';
import {
  closedWithRun,
  isStepTerminal,
  isToolCallTerminal,
  stepTransitions,
  toolCallTransitions,
} from './step-lifecycle.js';

describe('the lifecycle of a step', () => {
  it('starts, may retry any number of times, and ends once', () => {
    expect(Object.fromEntries(STEP_STATUSES.map((status) => [status, stepTransitions(status)]))).toEqual({
      pending: ['running'],
      running: ['retrying', 'succeeded', 'failed', 'skipped', 'cancelled'],
      retrying: ['running'],
      succeeded: [],
      failed: [],
      skipped: [],
      cancelled: [],
    });
    expect(STEP_STATUSES.filter(isStepTerminal)).toEqual(['succeeded', 'failed', 'skipped', 'cancelled']);
  });
});

describe('the lifecycle of a tool call', () => {
  it('runs and ends once', () => {
    expect(toolCallTransitions('running')).toEqual(['succeeded', 'failed', 'cancelled']);
    expect(TOOL_CALL_STATUSES.filter(isToolCallTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });
});

describe('closedWithRun', () => {
  it('ends what is open with a run that failed or was cancelled, and leaves it otherwise', () => {
    expect(Object.fromEntries(RUN_STATUSES.map((status) => [status, closedWithRun(status)]))).toEqual({
      pending: undefined,
      running: undefined,
      waiting_human: undefined,
      succeeded: undefined,
      failed: 'failed',
      cancelled: 'cancelled',
    });
  });
});
