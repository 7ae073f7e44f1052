import { sql, type Transaction } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import type { Claim } from './take-claim.js';

/** What an earlier request under the same key was, and what it was answered. */
export interface SettledClaim {
  method: string;
  route: string;
  request_digest: Buffer;
  status: number;
  response: RawJson | null;
}

const findClaim = sql<SettledClaim>(
  'find-claim',
  `SELECT method, route, request_digest, status, response FROM idempotency_keys
   WHERE tenant_id = $1 AND scope_id = $2 AND key = $3`,
);

export async function find(tx: Transaction, { scopeId, key }: Claim): Promise<SettledClaim | undefined> {
  return tx.row(findClaim, [tx.scope.tenantId, scopeId, key]);
}
