import { APPROVAL_STATUSES, type ApprovalKind, type ApprovalStatus } from '@agentflow/contracts';
import type { Slice, Transaction } from '@agentflow/database';
import { filteredList } from '../../lists/filtered-list.js';
import type { ApprovalSummaryRow } from '../approval-row.js';
import { APPROVAL_SUMMARY_COLUMNS } from './approval-columns.js';

export interface ApprovalFilters {
  status?: readonly ApprovalStatus[];
  run_id?: string;
  agent_id?: string;
  project_id?: string;
  assignee?: string;
  kind?: ApprovalKind;
}

const approvalList = filteredList<ApprovalFilters, ApprovalSummaryRow>({
  ...{ name: 'list-approvals', from: 'approvals', columns: APPROVAL_SUMMARY_COLUMNS, time: 'created_at' },
  conditions: [
    ['run_id', (p) => `run_id = ${p}::uuid`],
    ['agent_id', (p) => `agent_id = ${p}::uuid`],
    ['project_id', (p) => `project_id = ${p}::uuid`],
    ['assignee', (p) => `assignee = ${p}`],
    ['kind', (p) => `kind = ${p}`],
  ],
  merged: 'status',
});

/**
 * The approvals that the scope sees and the filters let through, newest first. Every index of the inbox leads by the
 * status, so that all of them are named where none is.
 */
export async function listApprovals(
  tx: Transaction,
  { status = APPROVAL_STATUSES, ...filters }: ApprovalFilters,
  slice: Slice,
): Promise<ApprovalSummaryRow[]> {
  const { statement, values } = approvalList(tx, { ...filters, status }, slice);
  return tx.rows(statement, values);
}
