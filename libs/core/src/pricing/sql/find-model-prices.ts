import { sql, type Transaction } from '@agentflow/database';
import type { ModelPriceRow } from '../price-overrides.js';

const ofTenant = sql<ModelPriceRow>(
  'find-model-prices',
  `SELECT id, provider, model, input, output, cache_read, cache_write, valid_from, created_at
   FROM model_prices WHERE tenant_id = $1`,
);

/** All prices of the tenant, whatever the scope: a project's key and an agent's report by them, too. */
export async function findModelPrices(tx: Transaction): Promise<ModelPriceRow[]> {
  return tx.rows(ofTenant, [tx.scope.tenantId]);
}
