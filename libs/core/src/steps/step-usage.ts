import type { Transaction } from '@agentflow/database';
import type { RunAddition } from '../reporting/sql/add-to-run.js';
import { coverAncestors, type Measures } from './sql/settle-usage.js';
import type { StepRow } from './step-row.js';

/** What of a step counts in its run's totals. */
type Counted = Pick<
  StepRow,
  'status' | 'tokens_in' | 'tokens_out' | 'cost_usd' | 'tokens_below' | 'cost_below'
>;

/** What a step adds to its run's totals, or takes away: each measure only while nothing below says it. */
export function usageOf(step: Counted, sign: 1 | -1): RunAddition {
  const { tokens, cost } = measuresOf(step);
  return {
    failed_steps: step.status === 'failed' ? sign : 0,
    ...(tokens && !step.tokens_below
      ? { tokens_in: sign * (step.tokens_in ?? 0), tokens_out: sign * (step.tokens_out ?? 0) }
      : {}),
    ...(cost && !step.cost_below ? { cost_usd: sign < 0 ? `-${step.cost_usd}` : step.cost_usd } : {}),
  };
}

/** The statement that takes the ancestors' usage out of the totals, where the step has ancestors and says any. */
export function settling(
  tx: Transaction,
  step: Pick<StepRow, 'id' | 'run_id' | 'parent_step_id' | 'tokens_in' | 'tokens_out' | 'cost_usd'>,
): Promise<void> {
  const measures = measuresOf(step);
  if (step.parent_step_id === null || !(measures.tokens || measures.cost)) return Promise.resolve();
  return coverAncestors(tx, step.run_id, step.id, measures);
}

function measuresOf({
  tokens_in,
  tokens_out,
  cost_usd,
}: Pick<Counted, 'tokens_in' | 'tokens_out' | 'cost_usd'>): Measures {
  return { tokens: tokens_in !== null || tokens_out !== null, cost: cost_usd !== null };
}
