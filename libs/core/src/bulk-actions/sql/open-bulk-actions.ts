import { sql, type Database, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { HeldBulkAction, OpenBulkAction, RunFailure } from '../bulk-action-row.js';

/** How many are looked for at once. */
const MOST_OPEN = 100;

const open = sql<OpenBulkAction>(
  'find-open-bulk-actions',
  `SELECT tenant_id, id, scope, project_id, agent_id FROM bulk_actions WHERE status IN ('pending', 'running')
   ORDER BY updated_at LIMIT ${MOST_OPEN}`,
);

/** Those of all tenants that have not ended, by an index of their own; first those that waited longest for a worker. */
export function findOpenBulkActions(database: Database): Promise<OpenBulkAction[]> {
  return database.unscoped(open);
}

const hold = sql<HeldBulkAction>(
  'hold-bulk-action',
  `SELECT action, filter, reason, force, reuse, created_by, after_created_at, after_id, failed,
     CASE WHEN ids IS NOT NULL THEN ARRAY(
       SELECT id FROM unnest(ids) AS named (id) WHERE id > after_id ORDER BY id LIMIT $3)::text[] END AS next_ids
   FROM bulk_actions WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Holds it until the transaction ends, when it has not ended and nobody else is at it; with so many of its ids. */
export async function holdBulkAction(
  tx: Transaction,
  id: string,
  most: number,
): Promise<HeldBulkAction | undefined> {
  return tx.row(hold, [tx.scope.tenantId, id, most]);
}

const live = sql<{ id: string }>(
  'find-live-key',
  `SELECT id FROM api_keys WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL
     AND (expires_at IS NULL OR expires_at > now()) AND (grace_until IS NULL OR grace_until > now())`,
);

/** Whether a key would still be let in, as `authenticate_key` judges it. */
export async function isLiveKey(tx: Transaction, keyId: string): Promise<boolean> {
  return (await tx.row(live, [tx.scope.tenantId, keyId])) !== undefined;
}

/** What one portion came to. */
export interface Portion {
  done: number;
  /** How many were left as they are, by code. */
  skipped: Readonly<Record<string, number>>;
  failures: readonly RunFailure[];
  /** Where the next portion begins; absent when nothing is left. */
  after: { createdAt: string; id: string };
  end: 'succeeded' | 'failed' | 'key_revoked' | null;
}

/** How many failures are kept as examples. */
const MOST_ERRORS = 10;

const advance = sql<never>(
  'advance-bulk-action',
  `UPDATE bulk_actions SET
     status = CASE $10::text WHEN 'key_revoked' THEN 'cancelled' ELSE coalesce($10, 'running') END,
     cancel_reason = CASE $10 WHEN 'key_revoked' THEN 'key_revoked' END,
     after_created_at = $3, after_id = $4, done = done + $5, failed = failed + $6,
     skipped = skipped || coalesce((SELECT jsonb_object_agg(code, count::integer + coalesce((skipped ->> code)::integer, 0))
       FROM jsonb_each_text($7::jsonb) AS more (code, count)), '{}'),
     errors = CASE WHEN jsonb_array_length(errors) < $9 THEN errors || $8::jsonb ELSE errors END,
     started_at = coalesce(started_at, now()), ended_at = CASE WHEN $10 IS NOT NULL THEN now() END, updated_at = now()
   WHERE tenant_id = $1 AND id = $2`,
);

/** Writes down how far a held one has come; in the transaction of the portion, so that both are there or neither. */
export async function advanceBulkAction(
  tx: Transaction,
  id: string,
  { done, skipped, failures, after, end }: Portion,
): Promise<void> {
  await tx.run(advance, [
    ...[tx.scope.tenantId, id, after.createdAt, after.id, done, failures.length],
    RawJson.trusted(encodeJson(skipped)),
    RawJson.trusted(encodeJson(failures)),
    MOST_ERRORS,
    end,
  ]);
}
