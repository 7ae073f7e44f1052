import { organizationScope, type Database, type Transaction } from '@agentflow/database';
import { settle } from '../approvals/settle.js';
import { THE_PRODUCT } from '../audit-log/act.js';
import { recordAct } from '../audit-log/sql/record-acts.js';
import { Rounds, type RoundsLog } from '../operation/rounds.js';
import { holdRun } from '../reporting/run-head.js';
import { ended } from '../runs/end-run.js';
import { goOn } from '../runs/pause-run.js';
import { moveOf } from '../runs/run-moves.js';
import { MOST_DUE, findDueAction, findDueApprovals, type DueApproval } from './sql/due-approvals.js';

/** About so long after its time an approval is over. */
const EVERY_MS = 1_000;

/** What stands as the reason where nobody has decided. */
const TOO_LATE = 'Nobody decided in time.';

/**
 * Ends approvals that nobody decided in time, for all tenants: as their request says, the run is cancelled, or the
 * approval counts as rejected. Any number may watch; each approval ends once.
 */
export class ApprovalWatch extends Rounds<{ approvals: number }> {
  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    log: RoundsLog,
  ) {
    super(log, {
      everyMs: EVERY_MS,
      did: 'ended approvals that nobody decided in time',
      failed: 'could not look for approvals that are due; trying again in a second',
    });
  }

  async round(): Promise<{ approvals: number }> {
    for (let approvals = 0; ;) {
      const found = await findDueApprovals(this.database);
      let count = 0;
      for (const approval of found) {
        if (this.signal.aborted) return { approvals: approvals + count };
        if (await this.hasEnded(approval)) count++;
      }
      approvals += count;
      // Those that are left cannot be ended now.
      if (found.length < MOST_DUE || count === 0) return { approvals };
    }
  }

  /** One that cannot be ended now does not keep the others from it. */
  private async hasEnded({ tenant_id, run_id: runId, id }: DueApproval): Promise<boolean> {
    try {
      const actor = { scope: organizationScope(tenant_id) };
      return await this.database.transaction(actor, (tx) => expired(tx, runId, id));
    } catch (error) {
      this.warn({ err: error, approval: id }, 'could not end an approval that is due');
      return false;
    }
  }
}

/** Does what is due, when it still is. */
async function expired(tx: Transaction, runId: string, id: string): Promise<boolean> {
  const head = await holdRun(tx, runId);
  if (!head) return false;
  const action = await findDueAction(tx, id);
  if (action === undefined) return false;
  const status = action === 'cancel' ? 'expired' : 'rejected';
  const settled = await settle(tx, { runId, approvalId: id, status, reason: TOO_LATE, actor: null });
  await recordAct(tx, THE_PRODUCT, {
    action: 'approval.expired',
    entityId: id,
    projectId: head.project_id,
    agentId: head.agent_id,
    before: { status: 'pending' },
    after: { status, run_id: runId },
  });
  if (action === 'cancel') await ended(tx, moveOf(runId, 'cancel', { reason: TOO_LATE }, null, null));
  else if (settled && settled.resumeInput) await goOn(tx, runId, settled.resumeInput, null);
  return true;
}
