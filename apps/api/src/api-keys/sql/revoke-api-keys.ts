import { sql, type Transaction } from '@agentflow/database';

const revokeWithOffspring = sql<never>(
  'revoke-api-keys',
  `WITH RECURSIVE doomed AS (
     SELECT id, rotated_from FROM api_keys WHERE tenant_id = $1 AND id = $2
     UNION
     SELECT k.id, k.rotated_from FROM doomed d JOIN api_keys k ON k.tenant_id = $1
       AND (k.created_by = d.id OR k.id = d.rotated_from)
   )
   UPDATE api_keys SET revoked_at = now(), updated_at = now() FROM doomed
   WHERE api_keys.tenant_id = $1 AND api_keys.id = doomed.id AND api_keys.revoked_at IS NULL`,
);

const endGrace = sql<never>(
  'end-grace',
  `UPDATE api_keys SET grace_until = now(), updated_at = now()
   WHERE tenant_id = $1 AND id = $2 AND (grace_until IS NULL OR grace_until > now())`,
);

const beginGrace = sql<never>(
  'begin-grace',
  `UPDATE api_keys SET grace_until = now() + make_interval(secs => $3), updated_at = now()
   WHERE tenant_id = $1 AND id = $2`,
);

/**
 * Revokes a key, every key that it or its predecessors minted, and the predecessors themselves, which may still be
 * in their grace. Its successor stays. Revoking again changes nothing.
 */
export async function revoke(tx: Transaction, id: string): Promise<void> {
  await tx.run(revokeWithOffspring, [tx.scope.tenantId, id]);
}

/** Lets a rotated key work for so many seconds more. */
export async function letLinger(tx: Transaction, id: string, graceSeconds: number): Promise<void> {
  await tx.run(beginGrace, [tx.scope.tenantId, id, graceSeconds]);
}

/** Ends the grace of a key that was rotated before: two secrets live at most. */
export async function stopLingering(tx: Transaction, id: string): Promise<void> {
  await tx.run(endGrace, [tx.scope.tenantId, id]);
}
