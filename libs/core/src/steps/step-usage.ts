import type { Transaction } from '@agentflow/database';
import type { RunAddition } from '../reporting/sql/add-to-run.js';
import { coverStep, type Measures } from './sql/cover-step.js';
import type { StepRow } from './step-row.js';

type Usage = Pick<StepRow, 'tokens_in' | 'tokens_out' | 'cost_usd'>;

/** What a step adds to its run's totals, or takes away: each measure only while nothing below says it. */
export function usageOf(
  step: Usage & Pick<StepRow, 'status' | 'tokens_below' | 'cost_below'>,
  sign: 1 | -1,
): RunAddition {
  return {
    failed_steps: step.status === 'failed' ? sign : 0,
    ...(step.tokens_below ? {} : tokensOf(step, sign)),
    ...(step.cost_below ? {} : costOf(step, sign)),
  };
}

/**
 * Takes the usage of a step's ancestors out of the run's totals, each measure that the step says itself: an agent or
 * chain step repeats what its children used, so only the deepest step that says a measure counts for it. It climbs
 * until it meets a step that has been passed before, so each step is passed once a measure in the life of a run, and
 * no cycle can hold it.
 */
export async function coverAncestors(
  tx: Transaction,
  step: Usage & Pick<StepRow, 'run_id' | 'parent_step_id'>,
): Promise<RunAddition[]> {
  const measures = measuresOf(step);
  const additions: RunAddition[] = [];
  let above = measures.tokens || measures.cost ? step.parent_step_id : null;
  while (above !== null) {
    const covered = await coverStep(tx, step.run_id, above, measures);
    if (covered) additions.push({ ...tokensOf(covered, -1), ...costOf(covered, -1) });
    above = covered?.parent_step_id ?? null;
  }
  return additions;
}

function measuresOf({ tokens_in, tokens_out, cost_usd }: Usage): Measures {
  return { tokens: tokens_in !== null || tokens_out !== null, cost: cost_usd !== null };
}

function tokensOf({ tokens_in, tokens_out }: Usage, sign: 1 | -1): RunAddition {
  return { tokens_in: sign * (tokens_in ?? 0), tokens_out: sign * (tokens_out ?? 0) };
}

function costOf({ cost_usd }: Usage, sign: 1 | -1): RunAddition {
  return { cost_usd: sign < 0 && cost_usd !== null ? `-${cost_usd}` : cost_usd };
}
