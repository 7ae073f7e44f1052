import { DomainError, isStepTerminal, isTerminal, stepTransitions } from '@agentflow/domain';
import { flagged, isAwaited, refuseFlags, replaceMetadata } from '../reporting/flags.js';
import type { RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { endOf, timed } from '../reporting/timing.js';
import type { StepUpdate } from './sql/update-step.js';
import { startOf, type StepChange } from './step-report.js';
import type { StepRow } from './step-row.js';

/**
 * What an update makes of a stored step: the whole row as it has to be written, or `undefined` when it says nothing
 * new. The first completion wins; one that was closed only because its run ended may still be completed within the
 * run's minute of grace, and is then marked as late.
 */
export function decideStepChange(stored: StepRow, change: StepChange, head: RunHead): StepUpdate | undefined {
  refuseFlags(change.metadata);
  const wasClosedByRun = isStepTerminal(stored.status) && isAwaited(stored.metadata);
  if (agreesWith(stored, change) && !wasClosedByRun) return undefined;
  if (isStepTerminal(stored.status) && !wasClosedByRun) {
    throw new DomainError('already_completed', { members: { current_state: stored.status } });
  }
  const from = wasClosedByRun ? 'running' : stored.status;
  const status = change.status ?? from;
  const isLate = isTerminal(head.status);
  if (isLate && !(head.in_grace && isStepTerminal(status))) {
    throw new DomainError('run.final', { members: { current_state: head.status } });
  }
  if (status !== from && !stepTransitions(from).includes(status)) {
    throw new DomainError('step.transition_refused', {
      detail: `A step that is ${from} does not become ${status}.`,
      members: { current_state: from, allowed: stepTransitions(from) },
    });
  }
  return updateOf(wasClosedByRun ? reopened(stored) : stored, change, status, head);
}

/** The step without what its run's end wrote to it. */
function reopened(stored: StepRow): StepRow {
  return { ...stored, status: 'running', error_type: null, ended_at: null, latency_ms: null };
}

function updateOf(
  stored: StepRow,
  change: StepChange,
  status: StepRow['status'],
  head: Pick<RunHead, 'status' | 'now'>,
): StepUpdate {
  const metadata = replaceMetadata(stored.metadata, change.metadata);
  return {
    run_id: stored.run_id,
    id: stored.id,
    status,
    output: change.output ?? stored.output,
    error: change.error ?? stored.error,
    error_type: change.error_type ?? stored.error_type,
    tokens_in: change.tokens_in ?? stored.tokens_in,
    tokens_out: change.tokens_out ?? stored.tokens_out,
    token_details: change.token_details ?? stored.token_details,
    cost_usd: change.cost_usd ?? stored.cost_usd,
    model: change.model ?? stored.model,
    provider: change.provider ?? stored.provider,
    retry_count: stored.retry_count + (status === 'retrying' && stored.status !== 'retrying' ? 1 : 0),
    ...timed({
      started_at: startOf(status, stored.started_at, head.now),
      ended_at: endOf(isStepTerminal(status), change.ended_at, head.now),
      latency_ms: change.latency_ms ?? stored.latency_ms,
      metadata: isTerminal(head.status) ? flagged(metadata, 'late') : metadata,
    }),
  };
}
