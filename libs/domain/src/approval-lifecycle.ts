import type { ApprovalDecision, ApprovalKind, ApprovalStatus } from '@agentflow/contracts';

const STATUS_AFTER = {
  approve: 'approved',
  edit: 'edited',
  reject: 'rejected',
  respond: 'responded',
} as const satisfies Record<ApprovalDecision, ApprovalStatus>;

const ALLOWED_BY_DEFAULT = {
  tool: ['approve', 'edit', 'reject'],
  question: ['respond', 'reject'],
  gate: ['approve', 'reject'],
} as const satisfies Record<ApprovalKind, readonly ApprovalDecision[]>;

/** Where the decision brings an approval. */
export function statusAfter(decision: ApprovalDecision): ApprovalStatus {
  return STATUS_AFTER[decision];
}

/** What can be decided about an approval of this kind, when its request says nothing of it. */
export function decisionsOf(kind: ApprovalKind): readonly ApprovalDecision[] {
  return ALLOWED_BY_DEFAULT[kind];
}

/** Whether the decision comes with something of its own: other arguments, or the answer. */
export function bringsAnswer(decision: ApprovalDecision): boolean {
  return decision === 'edit' || decision === 'respond';
}
