import { isStepTerminal } from '@agentflow/domain';
import { isAwaited } from '../reporting/flags.js';
import type { RunHead } from '../reporting/run-head.js';
import { nextEntry, type RunEvent } from '../reporting/sql/append-event.js';
import type { StepRow } from './step-row.js';

/** What is announced of a step: its start, its completion once, and whatever else changes of it. */
export function stepEvent(
  head: RunHead,
  step: Pick<StepRow, 'id' | 'index' | 'node' | 'status' | 'parent_step_id'>,
  actor: string | null,
  { isNew = false, wasDone = false },
): RunEvent {
  const opened = isNew ? 'step.started' : 'step.updated';
  const closed = step.status === 'failed' ? 'step.failed' : 'step.completed';
  return nextEntry(head, {
    type: isStepTerminal(step.status) && !wasDone ? closed : opened,
    entity_id: step.id,
    data: { index: step.index, node: step.node, status: step.status, parent_step_id: step.parent_step_id },
    actor,
  });
}

/** Whether it was completed by its reporter, and not only closed with its run. */
export function isDone({ status, metadata }: Pick<StepRow, 'status' | 'metadata'>): boolean {
  return isStepTerminal(status) && !isAwaited(metadata);
}
