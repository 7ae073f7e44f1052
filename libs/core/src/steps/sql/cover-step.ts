import { sql, type Transaction } from '@agentflow/database';
import type { StepRow } from '../step-row.js';

/** Which of the two measures of usage a step says: tokens and cost are counted each by itself. */
export interface Measures {
  tokens: boolean;
  cost: boolean;
}

/** What no longer counts of a step, and what lies above it. */
export type Covered = Pick<StepRow, 'parent_step_id' | 'tokens_in' | 'tokens_out' | 'cost_usd'>;

const markCovered = sql<Covered>(
  'cover-step',
  `UPDATE steps SET tokens_below = steps.tokens_below OR $4, cost_below = steps.cost_below OR $5
   FROM (SELECT tokens_below, cost_below FROM steps WHERE tenant_id = $1 AND run_id = $2 AND id = $3) before
   WHERE steps.tenant_id = $1 AND steps.run_id = $2 AND steps.id = $3
     AND NOT ((steps.tokens_below OR NOT $4) AND (steps.cost_below OR NOT $5))
   RETURNING parent_step_id, CASE WHEN $4 AND NOT before.tokens_below THEN tokens_in END AS tokens_in,
     CASE WHEN $4 AND NOT before.tokens_below THEN tokens_out END AS tokens_out,
     CASE WHEN $5 AND NOT before.cost_below THEN cost_usd END AS cost_usd`,
);

/** Remembers that a step below this one says these measures; nothing comes back when that was known. */
export async function coverStep(
  tx: Transaction,
  runId: string,
  id: string,
  { tokens, cost }: Measures,
): Promise<Covered | undefined> {
  return tx.row(markCovered, [tx.scope.tenantId, runId, id, tokens, cost]);
}
