import { sql, type Transaction } from '@agentflow/database';

const settleUsage = sql<never>(
  'settle-usage',
  `WITH RECURSIVE up AS (
     SELECT parent_step_id AS id FROM steps
     WHERE tenant_id = $1 AND run_id = $2 AND id = ANY ($3::uuid[]) AND parent_step_id IS NOT NULL
     UNION
     SELECT p.parent_step_id FROM up JOIN steps p ON p.tenant_id = $1 AND p.run_id = $2 AND p.id = up.id
     WHERE p.parent_step_id IS NOT NULL AND NOT p.usage_below
   ), covered AS (
     UPDATE steps SET usage_below = true FROM up
     WHERE steps.tenant_id = $1 AND steps.run_id = $2 AND steps.id = up.id AND NOT steps.usage_below
     RETURNING tokens_in, tokens_out, cost_usd
   )
   UPDATE runs SET tokens_in = runs.tokens_in - t.tokens_in, tokens_out = runs.tokens_out - t.tokens_out,
     cost_usd = runs.cost_usd - t.cost_usd
   FROM (SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out,
     coalesce(sum(cost_usd), 0) AS cost_usd, count(*) AS steps FROM covered) t
   WHERE runs.tenant_id = $1 AND runs.id = $2 AND t.steps > 0`,
);

/**
 * Takes the usage of the ancestors of these steps out of the run's totals: an agent or chain step repeats what its
 * children used, so only the deepest step that carries usage counts. It climbs until it meets a step that has been
 * passed before, so each step is passed once in the life of a run, and no cycle can hold it.
 */
export async function coverAncestors(
  tx: Transaction,
  runId: string,
  stepIds: readonly string[],
): Promise<void> {
  await tx.run(settleUsage, [tx.scope.tenantId, runId, stepIds]);
}
