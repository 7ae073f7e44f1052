import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { ApprovalRow } from '../approval-row.js';
import { APPROVAL_COLUMNS, VISIBLE_APPROVAL } from './approval-columns.js';

const byId = sql<ApprovalRow>(
  'find-approval',
  `SELECT ${APPROVAL_COLUMNS} FROM approvals WHERE ${VISIBLE_APPROVAL} AND id = $4`,
);

export async function findApproval(tx: Transaction, id: string): Promise<ApprovalRow | undefined> {
  return tx.row(byId, [...scopeColumns(tx.scope), id]);
}

/** What is asked of people while a run waits, and what they said to it; as far as a worker may read it. */
export type AskedRow = Pick<
  ApprovalRow,
  'id' | 'kind' | 'tool_call_id' | 'step_id' | 'status' | 'answer' | 'reason' | 'is_implicit'
>;

/** What was asked at once has the moment in common, and the run has it as long as it waits. */
const OF_WAIT = `FROM approvals WHERE tenant_id = $1 AND run_id = $2
  AND created_at = (SELECT waiting_since FROM runs WHERE tenant_id = $1 AND id = $2) ORDER BY index`;

const asked = sql<AskedRow>(
  'find-asked-approvals',
  `SELECT id, kind, tool_call_id, step_id, status, answer, reason, is_implicit ${OF_WAIT}`,
);
const askedWhole = sql<ApprovalRow>('find-asked-approvals-whole', `SELECT ${APPROVAL_COLUMNS} ${OF_WAIT}`);

/** The approvals that a held run waits for, open and decided, in the order in which they were asked; none when it does not wait. */
export async function findAsked(tx: Transaction, runId: string): Promise<AskedRow[]> {
  return tx.rows(asked, [tx.scope.tenantId, runId]);
}

/** The same, with what was asked. */
export async function findAskedWhole(tx: Transaction, runId: string): Promise<ApprovalRow[]> {
  return tx.rows(askedWhole, [tx.scope.tenantId, runId]);
}
