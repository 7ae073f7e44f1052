import { DomainError, isStepTerminal, isTerminal, stepTransitions } from '@agentflow/domain';
import { flagged, hasFlag, replaceMetadata } from '../reporting/flags.js';
import { timed } from '../reporting/latency.js';
import type { RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import type { StepUpdate } from './sql/update-steps.js';
import type { StepChange } from './step-report.js';
import type { StepRow } from './step-row.js';

/**
 * What an update makes of a stored step: the whole row as it has to be written, or `undefined` when it says nothing
 * new. The first completion wins; one that was closed only because its run ended may still be completed within the
 * run's minute of grace, and is then marked as late.
 */
export function decideStepChange(stored: StepRow, change: StepChange, head: RunHead): StepUpdate | undefined {
  const wasClosedByRun = isStepTerminal(stored.status) && isAwaited(stored);
  if (agreesWith(stored, change) && !wasClosedByRun) return undefined;
  if (isStepTerminal(stored.status) && !wasClosedByRun) {
    throw new DomainError('already_completed', { members: { current_state: stored.status } });
  }
  const from = wasClosedByRun ? 'running' : stored.status;
  const status = change.status ?? stored.status;
  const isLate = isTerminal(head.status);
  if (isLate && !(head.in_grace && change.status !== undefined && isStepTerminal(change.status))) {
    throw new DomainError('run.final', { members: { current_state: head.status } });
  }
  if (status !== from && !stepTransitions(from).includes(status)) {
    throw new DomainError('step.transition_refused', {
      detail: `A step that is ${from} does not become ${status}.`,
      members: { current_state: from, allowed: stepTransitions(from) },
    });
  }
  return updateOf(stored, change, { status, isRetry: from !== 'retrying' && status === 'retrying', isLate });
}

/** Closed with its run and not completed since. */
function isAwaited({ metadata }: StepRow): boolean {
  return hasFlag(metadata, 'open_at_end') && !hasFlag(metadata, 'late');
}

function updateOf(
  stored: StepRow,
  change: StepChange,
  { status, isRetry, isLate }: { status: StepRow['status']; isRetry: boolean; isLate: boolean },
): StepUpdate {
  const metadata =
    change.metadata === undefined ? stored.metadata : replaceMetadata(stored.metadata, change.metadata);
  const endedAt = change.ended_at ?? null;
  return {
    run_id: stored.run_id,
    id: stored.id,
    status,
    output: change.output ?? stored.output,
    error: change.error ?? (isLate ? null : stored.error),
    error_type: change.error_type ?? (isLate ? null : stored.error_type),
    tokens_in: change.tokens_in ?? stored.tokens_in,
    tokens_out: change.tokens_out ?? stored.tokens_out,
    token_details: change.token_details ?? stored.token_details,
    cost_usd: change.cost_usd ?? stored.cost_usd,
    model: change.model ?? stored.model,
    provider: change.provider ?? stored.provider,
    retry_count: stored.retry_count + (isRetry ? 1 : 0),
    started_at: stored.started_at,
    ended_at: endedAt,
    ...timed(
      change.latency_ms ?? (isLate ? null : stored.latency_ms),
      stored.started_at,
      endedAt,
      isLate ? flagged(metadata, 'late') : metadata,
    ),
  };
}
