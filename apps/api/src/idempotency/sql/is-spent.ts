import { sql, type Transaction } from '@agentflow/database';
import { RETENTION_HOURS } from './take-claim.js';

const isFoundingSpent = sql<{ spent: boolean }>(
  'is-founding-spent',
  `SELECT EXISTS (SELECT FROM organizations WHERE id = $1) AND NOT EXISTS (
     SELECT FROM idempotency_keys
     WHERE tenant_id = $1 AND scope_id = $1 AND key = $2
       AND created_at >= now() - interval '${RETENTION_HOURS} hours') AS spent`,
);

/** Whether the organization was founded under this key so long ago that the answer is forgotten. */
export async function isSpent(tx: Transaction, key: string): Promise<boolean> {
  return (await tx.row(isFoundingSpent, [tx.scope.tenantId, key]))?.spent === true;
}
