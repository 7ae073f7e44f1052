import { DomainError, isStepTerminal, isTerminal, stepTransitions } from '@agentflow/domain';
import type { PriceOverrides } from '../pricing/price-overrides.js';
import { priceStep } from '../pricing/price-step.js';
import { flagged, isAwaited, refuseFlags, replaceMetadata } from '../reporting/flags.js';
import type { RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { endOf, timed } from '../reporting/timing.js';
import type { StepUpdate } from './sql/update-step.js';
import { isPricedBy, startOf, type StepChange } from './step-report.js';
import { asReported, type StepRow } from './step-row.js';

/**
 * What an update makes of a stored step: the whole row as it has to be written, or `undefined` when it says nothing
 * new. The first completion wins; one that was closed only because its run ended may still be completed within the
 * run's minute of grace, and is then marked as late. A cost that was computed gives way to one that is reported, also
 * after the completion. What is unknown and has a price is reckoned by `overrides` and list prices.
 */
export function decideStepChange(
  stored: StepRow,
  change: StepChange,
  head: RunHead,
  overrides: PriceOverrides,
): StepUpdate | undefined {
  refuseFlags(change.metadata);
  const wasClosedByRun = isStepTerminal(stored.status) && isAwaited(stored.metadata);
  if (agreesWith(asReported(stored), change) && !wasClosedByRun) return undefined;
  if (isStepTerminal(stored.status) && !wasClosedByRun && !saysCostOnly(stored, change)) {
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
  return updateOf(wasClosedByRun ? reopened(stored) : stored, change, status, head, overrides);
}

/** Whether it says nothing new but the cost, which so far is only what was computed. */
function saysCostOnly(stored: StepRow, { cost_usd, ...others }: StepChange): boolean {
  const isComputed = stored.cost_source !== null && stored.cost_source !== 'reported';
  return cost_usd !== undefined && isComputed && agreesWith(stored, others);
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
  overrides: PriceOverrides,
): StepUpdate {
  const metadata = replaceMetadata(stored.metadata, change.metadata);
  const started_at = startOf(status, stored.started_at, head.now);
  const usage = {
    tokens_in: change.tokens_in ?? stored.tokens_in,
    tokens_out: change.tokens_out ?? stored.tokens_out,
    token_details: change.token_details ?? stored.token_details,
    model: change.model ?? stored.model,
    provider: change.provider ?? stored.provider,
  };
  const cost_usd = change.cost_usd ?? asReported(stored).cost_usd;
  const isRepriced = change.cost_usd !== undefined || isPricedBy(change);
  return {
    run_id: stored.run_id,
    id: stored.id,
    status,
    output: change.output ?? stored.output,
    error: change.error ?? stored.error,
    error_type: change.error_type ?? stored.error_type,
    ...usage,
    cost_usd: stored.cost_usd,
    cost_source: stored.cost_source,
    ...(isRepriced
      ? priceStep({ ...usage, started_at: started_at ?? head.now, cost_usd }, overrides)
      : undefined),
    retry_count: stored.retry_count + (status === 'retrying' && stored.status !== 'retrying' ? 1 : 0),
    ...timed({
      started_at,
      ended_at: endOf(isStepTerminal(status), change.ended_at ?? stored.ended_at ?? undefined, head.now),
      latency_ms: change.latency_ms ?? stored.latency_ms,
      metadata: isTerminal(head.status) ? flagged(metadata, 'late') : metadata,
    }),
  };
}
