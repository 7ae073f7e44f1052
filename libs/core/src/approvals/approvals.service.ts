import { Database, type Actor, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, bringsAnswer, notFound, statusAfter } from '@agentflow/domain';
import type { RequestFault } from '@agentflow/contracts';
import { Injectable } from '@nestjs/common';
import { recordAct } from '../audit-log/sql/record-acts.js';
import { samePayload } from '../reporting/same-content.js';
import { holdRun } from '../reporting/run-head.js';
import { Followers } from '../run-log/followers.js';
import { goOn } from '../runs/pause-run.js';
import { faultsOfAnswer } from './answer-schema.js';
import type { ApprovalRow, ApprovalSummaryRow, Decision } from './approval-row.js';
import { settle } from './settle.js';
import { findApproval } from './sql/find-approvals.js';
import { listApprovals, type ApprovalFilters } from './sql/list-approvals.js';

/** What runs ask of people, and what people decide. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly database: Database,
    private readonly followers: Followers,
  ) {}

  async list(actor: Actor, filters: ApprovalFilters, slice: Slice): Promise<ApprovalSummaryRow[]> {
    const [rows] = await this.database.read(actor, (tx) => [listApprovals(tx, filters, slice)]);
    return rows;
  }

  async get(actor: Actor, id: string): Promise<ApprovalRow> {
    const [row] = await this.database.read(actor, (tx) => [findApproval(tx, id)]);
    if (!row) throw notFound();
    return row;
  }

  /** The approval of this run as soon as it is not pending any more, and at the latest at the signal. */
  async await(actor: Actor, runId: string, id: string, stopping: AbortSignal): Promise<ApprovalRow> {
    // Before the first look: what is committed behind it is not missed.
    const follower = this.followers.follow(runId);
    try {
      for (;;) {
        const row = await this.get(actor, id);
        if (row.run_id !== runId) throw notFound();
        if (row.status !== 'pending' || stopping.aborted) return row;
        await follower.news(stopping);
      }
    } finally {
      follower.leave();
    }
  }

  /**
   * Decides, once: of several decisions at the same time one counts. The same decision again is a success, and any other
   * is told what was decided. With the last decision that the run waits for it goes on.
   */
  async decide(actor: Actor, id: string, decision: Decision): Promise<ApprovalRow> {
    refuseMisplacedAnswer(decision);
    // Before anything is held, for it may take long; what was asked for does not change.
    const misfits = await this.misfitsOf(actor, id, decision);
    return this.database.transaction(actor, async (tx) => {
      const { run_id: runId } = await present(tx, id);
      if (!(await holdRun(tx, runId))) throw notFound();
      // Held, so that nothing comes between this look and the decision.
      const row = await present(tx, id);
      if (row.status !== 'pending') {
        if (isRepeat(row, decision)) return row;
        throw alreadyDecided(row);
      }
      refuseUnfit(row, decision, misfits);
      const { answer, reason } = decision;
      const status = statusAfter(decision.decision);
      const { keyId } = actor;
      const settled = await settle(tx, { runId, approvalId: id, status, answer, reason, actor: keyId });
      await recordAct(tx, actor, {
        action: 'approval.decided',
        entityId: id,
        projectId: row.project_id,
        agentId: row.agent_id,
        before: { status: row.status },
        after: { status, run_id: runId },
      });
      if (settled && settled.resumeInput) await goOn(tx, runId, settled.resumeInput, keyId);
      return present(tx, id);
    });
  }

  /** What keeps the answer from what the schema asks for. */
  private async misfitsOf(actor: Actor, id: string, { answer }: Decision): Promise<RequestFault[]> {
    if (answer === undefined) return [];
    const { status, schema } = await this.get(actor, id);
    return status === 'pending' && schema ? faultsOfAnswer(schema, answer) : [];
  }
}

async function present(tx: Transaction, id: string): Promise<ApprovalRow> {
  const row = await findApproval(tx, id);
  if (!row) throw notFound();
  return row;
}

function isRepeat(row: ApprovalRow, { decision, answer, reason, arguments_hash }: Decision): boolean {
  return (
    row.status === statusAfter(decision) &&
    row.decided_by !== null &&
    samePayload(row.answer, answer ?? null) &&
    row.reason === (reason ?? null) &&
    (arguments_hash === undefined || arguments_hash === row.arguments_hash)
  );
}

function alreadyDecided({ status, decided_by, decided_at, reason }: ApprovalRow): DomainError {
  return new DomainError('approval.decided', {
    detail: `The approval is ${status}.`,
    members: {
      current_state: status,
      decided_by: decided_by ?? undefined,
      decided_at,
      reason: reason ?? undefined,
    },
  });
}

function refuseMisplacedAnswer({ decision, answer }: Decision): void {
  if (bringsAnswer(decision) === (answer !== undefined)) return;
  const detail =
    answer === undefined ? `is missing: to ${decision} brings one` : `goes with edit and respond only`;
  throw new DomainError('invalid_request', { faults: [{ pointer: '/answer', detail }] });
}

/** Refuses a decision about something else than what was shown, one that was not offered, and an answer of the wrong form. */
function refuseUnfit(
  row: ApprovalRow,
  { decision, arguments_hash }: Decision,
  misfits: readonly RequestFault[],
): void {
  if (arguments_hash !== undefined && arguments_hash !== row.arguments_hash) {
    throw new DomainError('approval.stale', { members: { arguments_hash: row.arguments_hash ?? undefined } });
  }
  const faults: RequestFault[] = [];
  const allowed = row.allowed.parse() as string[];
  if (!allowed.includes(decision)) {
    faults.push({ pointer: '/decision', detail: `has to be one of ${allowed.join(', ')} here` });
  } else {
    faults.push(...misfits.map(({ pointer, detail }) => ({ pointer: `/answer${pointer}`, detail })));
  }
  if (faults.length > 0) throw new DomainError('invalid_request', { faults });
}
