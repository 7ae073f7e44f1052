import { sql, type Transaction } from '@agentflow/database';
import type { ApiKeyRow } from '../api-key-row.js';

/** A key that has just been revoked. */
export type RevokedKey = Pick<ApiKeyRow, 'id' | 'name' | 'public_id' | 'project_id' | 'agent_id'>;

const revokeWithOffspring = sql<RevokedKey>(
  'revoke-api-keys',
  `WITH RECURSIVE doomed AS (
     SELECT id, rotated_from, false AS minted FROM api_keys WHERE tenant_id = $1 AND id = $2
     UNION
     SELECT k.id, k.rotated_from, d.minted OR k.created_by IS NOT DISTINCT FROM d.id
     FROM doomed d JOIN api_keys k ON k.tenant_id = $1 AND (k.created_by = d.id
       OR CASE WHEN d.minted THEN k.rotated_from = d.id ELSE k.id = d.rotated_from END)
   )
   UPDATE api_keys SET revoked_at = now(), updated_at = now() FROM doomed
   WHERE api_keys.tenant_id = $1 AND api_keys.id = doomed.id AND api_keys.revoked_at IS NULL
   RETURNING api_keys.id, name, public_id, project_id, agent_id`,
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
 * Revokes a key, its predecessors, which may still be in their grace, and every key that one of them minted, with the
 * successors of those. Its own successor stays. Revoking again changes nothing. Answers those that were not revoked before.
 *
 * A doomed key that is minting holds its own row (`holdOwnKey`), so that the update waits for it, and what it minted
 * is found by another look; once its row is updated, it mints no more.
 */
export async function revoke(tx: Transaction, id: string): Promise<RevokedKey[]> {
  for (const all: RevokedKey[] = []; ;) {
    const revoked = await tx.rows(revokeWithOffspring, [tx.scope.tenantId, id]);
    if (revoked.length === 0) return all;
    all.push(...revoked);
  }
}

/** Lets a rotated key work for so many seconds more. */
export async function letLinger(tx: Transaction, id: string, graceSeconds: number): Promise<void> {
  await tx.run(beginGrace, [tx.scope.tenantId, id, graceSeconds]);
}

/** Ends the grace of a key that was rotated before: two secrets live at most. */
export async function stopLingering(tx: Transaction, id: string): Promise<void> {
  await tx.run(endGrace, [tx.scope.tenantId, id]);
}
