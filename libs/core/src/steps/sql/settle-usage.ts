import { sql, type Transaction } from '@agentflow/database';

/** Which of the two measures of usage a step says: tokens and cost are counted each by itself. */
export interface Measures {
  tokens: boolean;
  cost: boolean;
}

const settleUsage = sql<never>(
  'settle-usage',
  `WITH RECURSIVE up AS (
     SELECT parent_step_id AS id FROM steps
     WHERE tenant_id = $1 AND run_id = $2 AND id = $3 AND parent_step_id IS NOT NULL
     UNION
     SELECT p.parent_step_id FROM up JOIN steps p ON p.tenant_id = $1 AND p.run_id = $2 AND p.id = up.id
     WHERE p.parent_step_id IS NOT NULL AND NOT ((p.tokens_below OR NOT $4) AND (p.cost_below OR NOT $5))
   ), covered AS (
     UPDATE steps SET tokens_below = steps.tokens_below OR $4, cost_below = steps.cost_below OR $5
     FROM up JOIN steps before ON before.tenant_id = $1 AND before.run_id = $2 AND before.id = up.id
     WHERE steps.tenant_id = $1 AND steps.run_id = $2 AND steps.id = up.id
       AND NOT ((steps.tokens_below OR NOT $4) AND (steps.cost_below OR NOT $5))
     RETURNING CASE WHEN $4 AND NOT before.tokens_below THEN before.tokens_in END AS tokens_in,
       CASE WHEN $4 AND NOT before.tokens_below THEN before.tokens_out END AS tokens_out,
       CASE WHEN $5 AND NOT before.cost_below THEN before.cost_usd END AS cost_usd
   )
   UPDATE runs SET tokens_in = runs.tokens_in - t.tokens_in, tokens_out = runs.tokens_out - t.tokens_out,
     cost_usd = runs.cost_usd - t.cost_usd
   FROM (SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out,
     coalesce(sum(cost_usd), 0) AS cost_usd, count(*) AS steps FROM covered) t
   WHERE runs.tenant_id = $1 AND runs.id = $2 AND t.steps > 0`,
);

/**
 * Takes the usage of a step's ancestors out of the run's totals, each measure that the step says itself: an agent or
 * chain step repeats what its children used, so only the deepest step that says a measure counts for it. It climbs
 * until it meets a step that has been passed before, so each step is passed once a measure in the life of a run, and
 * no cycle can hold it.
 */
export async function coverAncestors(
  tx: Transaction,
  runId: string,
  stepId: string,
  { tokens, cost }: Measures,
): Promise<void> {
  await tx.run(settleUsage, [tx.scope.tenantId, runId, stepId, tokens, cost]);
}
