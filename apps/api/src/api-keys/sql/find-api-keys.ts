import { scopeColumns, sql, type Slice, type Transaction } from '@agentflow/database';
import { API_KEY_COLUMNS, type ApiKeyRow } from '../api-key-row.js';

/** What a scope sees of the keys: `$1` tenant, `$2` project or null, `$3` agent or null. */
const VISIBLE_KEY = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR agent_id = $3)`;

const byId = sql<ApiKeyRow>(
  'find-api-key',
  `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE ${VISIBLE_KEY} AND id = $4`,
);
const locked = sql<ApiKeyRow>(
  'lock-api-key',
  `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE ${VISIBLE_KEY} AND id = $4 FOR NO KEY UPDATE`,
);
const list = sql<ApiKeyRow>(
  'list-api-keys',
  `SELECT ${API_KEY_COLUMNS} FROM api_keys
   WHERE ${VISIBLE_KEY} AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
   ORDER BY created_at DESC, id DESC LIMIT $6`,
);

export async function findApiKey(tx: Transaction, id: string): Promise<ApiKeyRow | undefined> {
  return tx.row(byId, [...scopeColumns(tx.scope), id]);
}

/** Holds a key for this transaction: of two rotations at once, the second finds the first. */
export async function lockApiKey(tx: Transaction, id: string): Promise<ApiKeyRow | undefined> {
  return tx.row(locked, [...scopeColumns(tx.scope), id]);
}

const own = sql<{ until: string | null }>(
  'hold-own-key',
  `SELECT least(expires_at, grace_until) AS until FROM api_keys
   WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND coalesce(least(expires_at, grace_until) > now(), true)
   FOR SHARE`,
);

/**
 * Keeps the caller's own key from being revoked until the transaction ends, and tells when its life ends anyway. No
 * row for a key that is dead already: the door trusts a look-up for half a second, and a key must not outlive itself
 * by what it mints in that time.
 */
export async function holdOwnKey(tx: Transaction, id: string): Promise<{ until: string | null } | undefined> {
  return tx.row(own, [tx.scope.tenantId, id]);
}

/** The keys that the scope sees, newest first. */
export async function listApiKeys(tx: Transaction, { limit, after }: Slice): Promise<ApiKeyRow[]> {
  return tx.rows(list, [...scopeColumns(tx.scope), after?.[0] ?? null, after?.[1] ?? null, limit]);
}

const home = sql<{ project_id: string }>(
  'find-home-of-agent',
  `SELECT project_id FROM agents WHERE tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
     AND ($3::uuid IS NULL OR id = $3) AND id = $4 AND deleting_since IS NULL`,
);
const project = sql<{ id: string }>(
  'find-project-of-key',
  `SELECT id FROM projects WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id = $2) AND $3::uuid IS NULL AND id = $4`,
);

/** The project of an agent that the scope sees. */
export async function findHomeOf(tx: Transaction, agentId: string): Promise<string | undefined> {
  return (await tx.row(home, [...scopeColumns(tx.scope), agentId]))?.project_id;
}

/** Whether the scope sees a project. */
export async function seesProject(tx: Transaction, projectId: string): Promise<boolean> {
  return (await tx.row(project, [...scopeColumns(tx.scope), projectId])) !== undefined;
}
