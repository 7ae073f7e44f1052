import { sql, type Transaction } from '@agentflow/database';
import { RawJson } from '@agentflow/domain';
import type { Claim } from './take-claim.js';

const settleClaim = sql<never>(
  'settle-claim',
  `UPDATE idempotency_keys SET status = $4, response = $5
   WHERE tenant_id = $1 AND scope_id = $2 AND key = $3`,
);

/** Writes the answer beside its effect, in the transaction that commits both. */
export async function settle(
  tx: Transaction,
  claim: Claim,
  status: number,
  response: string | null,
): Promise<void> {
  const json = response === null ? null : RawJson.trusted(response);
  await tx.run(settleClaim, [tx.scope.tenantId, claim.scopeId, claim.key, status, json]);
}
