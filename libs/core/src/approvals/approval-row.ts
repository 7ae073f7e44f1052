import type { ApprovalDecision, ApprovalDueAction, ApprovalKind, ApprovalStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** An approval as the inbox shows it: without what may be large. */
export interface ApprovalSummaryRow {
  id: string;
  run_id: string;
  project_id: string;
  agent_id: string;
  step_id: string | null;
  tool_call_id: string | null;
  kind: ApprovalKind;
  arguments_hash: string | null;
  /** A list of decisions. */
  allowed: RawJson;
  assignee: string | null;
  due_at: string | null;
  on_due: ApprovalDueAction | null;
  status: ApprovalStatus;
  reason: string | null;
  decided_by: string | null;
  decided_at: string | null;
  created_at: string;
  updated_at: string;
}

/** An approval as a whole. */
export interface ApprovalRow extends ApprovalSummaryRow {
  payload: RawJson | null;
  schema: RawJson | null;
  answer: RawJson | null;
  is_implicit: boolean;
}

/** What a run asks of a person. */
export interface NewApproval {
  kind: ApprovalKind;
  payload?: RawJson;
  tool_call_id?: string;
  step_id?: string;
  allowed?: ApprovalDecision[];
  /** What other arguments or an answer have to be like. */
  schema?: RawJson;
  assignee?: string;
  due_at?: string;
  on_due?: ApprovalDueAction;
}

/** What a person says to it. */
export interface Decision {
  decision: ApprovalDecision;
  /** Of what was decided about, as it was shown. */
  arguments_hash?: string;
  /** With `edit` the arguments to take instead, with `respond` the answer. */
  answer?: RawJson;
  reason?: string;
}
