import { scopeColumns, scopeId, sql, type Slice, type Transaction } from '@agentflow/database';
import type { BulkActionRow } from '../bulk-action-row.js';
import { BULK_ACTION_COLUMNS, VISIBLE_BULK_ACTION } from './bulk-action-columns.js';

const byId = sql<BulkActionRow>(
  'find-bulk-action',
  `SELECT ${BULK_ACTION_COLUMNS} FROM bulk_actions WHERE ${VISIBLE_BULK_ACTION} AND id = $4`,
);

export async function findBulkAction(tx: Transaction, id: string): Promise<BulkActionRow | undefined> {
  return tx.row(byId, [...scopeColumns(tx.scope), id]);
}

const SELECT = `SELECT ${BULK_ACTION_COLUMNS} FROM bulk_actions WHERE tenant_id = $1`;
const PAGE = `(created_at, id) < ($2::timestamptz, $3::uuid) ORDER BY created_at DESC, id DESC LIMIT $4`;

/** Each scope has an index of its own, which a condition that may be absent would not be served by. */
const LISTS = {
  organization: sql<BulkActionRow>('list-bulk-actions', `${SELECT} AND ${PAGE}`),
  project: sql<BulkActionRow>('list-bulk-actions-of-project', `${SELECT} AND project_id = $5 AND ${PAGE}`),
  agent: sql<BulkActionRow>('list-bulk-actions-of-agent', `${SELECT} AND agent_id = $5 AND ${PAGE}`),
};

const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/** Those that the scope sees, newest first. */
export async function listBulkActions(tx: Transaction, { limit, after }: Slice): Promise<BulkActionRow[]> {
  const { kind, tenantId } = tx.scope;
  const [createdAt, id] = after ?? NEWEST;
  const ofScope = kind === 'organization' ? [] : [scopeId(tx.scope)];
  return tx.rows(LISTS[kind], [tenantId, createdAt, id, limit, ...ofScope]);
}
