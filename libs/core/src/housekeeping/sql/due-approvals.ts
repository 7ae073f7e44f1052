import type { ApprovalDueAction } from '@agentflow/contracts';
import { sql, type Database, type Transaction } from '@agentflow/database';

/** How many are looked for at once. */
export const MOST_DUE = 500;

const IS_DUE = `status = 'pending' AND due_at <= now()`;

/** An approval of some tenant whose time is over. */
export interface DueApproval {
  tenant_id: string;
  run_id: string;
  id: string;
}

const due = sql<DueApproval>(
  'find-due-approvals',
  `SELECT tenant_id, run_id, id FROM approvals WHERE ${IS_DUE} ORDER BY due_at LIMIT ${MOST_DUE}`,
);

/** Approvals of all tenants that nobody has decided in time, by the database's clock; by an index of their own. */
export function findDueApprovals(database: Database): Promise<DueApproval[]> {
  return database.unscoped(due);
}

const stillDue = sql<{ on_due: ApprovalDueAction }>(
  'find-still-due-approval',
  `SELECT on_due FROM approvals WHERE tenant_id = $1 AND id = $2 AND ${IS_DUE}`,
);

/** What is to become of it, if it is still due while its run is held. */
export async function findDueAction(tx: Transaction, id: string): Promise<ApprovalDueAction | undefined> {
  return (await tx.row(stillDue, [tx.scope.tenantId, id]))?.on_due;
}
