import { sql, type Transaction } from '@agentflow/database';

/** A request that asked to be carried out once. */
export interface Claim {
  scopeId: string;
  key: string;
  method: string;
  route: string;
  /** SHA-256 over the canonical form of the body and the query. */
  digest: Buffer;
}

/** How long an answer is kept; after that the key is as good as new. */
export const RETENTION_HOURS = 24;

const takeClaim = sql<{ taken: boolean }>(
  'take-claim',
  `INSERT INTO idempotency_keys AS k (tenant_id, scope_id, key, method, route, request_digest)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (tenant_id, scope_id, key) DO UPDATE
     SET method = excluded.method, route = excluded.route, request_digest = excluded.request_digest,
       status = NULL, response = NULL, created_at = now()
     WHERE k.created_at < now() - interval '${RETENTION_HOURS} hours'
   RETURNING true AS taken`,
);

/**
 * Takes the key for this transaction; `false` when a request that has committed holds it. A second request with the
 * same key waits on the unique index until the first commits or rolls back, as long as `lock_timeout` lets it.
 */
export async function take(
  tx: Transaction,
  { scopeId, key, method, route, digest }: Claim,
): Promise<boolean> {
  const values = [tx.scope.tenantId, scopeId, key, method, route, digest];
  return (await tx.row(takeClaim, values)) !== undefined;
}
