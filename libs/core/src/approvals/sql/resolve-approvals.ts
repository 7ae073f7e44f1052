import type { ApprovalStatus } from '@agentflow/contracts';
import { sql, type Transaction } from '@agentflow/database';
import { nextXid } from '../../reporting/sql/event-xid.js';
import type { RawJson } from '@agentflow/domain';

/** How open approvals of a run come to their end. */
export interface Resolution {
  runId: string;
  /** One of them; all that are open where it is absent. */
  approvalId?: string;
  status: ApprovalStatus;
  answer?: RawJson;
  reason?: string;
  /** The key that decided. */
  actor: string | null;
}

const resolve = sql<{ id: string }>(
  'resolve-approvals',
  `WITH resolved AS (
     UPDATE approvals SET status = $4, answer = $5, reason = $6, decided_by = $7, decided_at = now(), updated_at = now()
     WHERE tenant_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR id = $3) AND status = 'pending'
     RETURNING id, kind, tool_call_id, status, index
   ), run AS (
     UPDATE runs SET last_event_seq = last_event_seq + (SELECT count(*) FROM resolved),
       last_event_xid = ${nextXid('last_event_xid')}, updated_at = now()
     WHERE tenant_id = $1 AND id = $2 AND EXISTS (SELECT FROM resolved)
     RETURNING last_event_seq - (SELECT count(*) FROM resolved) AS last_seq, last_event_xid
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, data, actor)
     SELECT $1, $2, last_seq + row_number() OVER (ORDER BY index), last_event_xid, 'approval.resolved', id,
       json_build_object('approval_id', id, 'kind', kind, 'tool_call_id', tool_call_id, 'status', status), $7
     FROM resolved, run
   )
   SELECT id FROM resolved`,
);

/**
 * Ends what is open still of a held run, each with its event, in the order in which it was asked; answers how many those
 * were. Nothing that was decided is decided again.
 */
export async function resolveApprovals(tx: Transaction, resolution: Resolution): Promise<number> {
  const { runId, approvalId, status, answer, reason, actor } = resolution;
  tx.touch(runId);
  const { tenantId } = tx.scope;
  const values = [tenantId, runId, approvalId, status, answer, reason, actor];
  return (await tx.rows(resolve, values)).length;
}
