import type { RequestFault } from '@agentflow/contracts';
import type { Transaction } from '@agentflow/database';
import { DomainError, RawJson, canonicalJson, decisionsOf, encodeJson, notFound } from '@agentflow/domain';
import { createHash, randomUUID } from 'node:crypto';
import { agreesWith } from '../reporting/same-content.js';
import { faultOfSchema } from './answer-schema.js';
import type { NewApproval } from './approval-row.js';
import { findAskedWhole } from './sql/find-approvals.js';
import { findSubjects, insertApprovals, type ApprovalDraft } from './sql/open-approvals.js';

export type { ApprovalDraft };

const jsonOf = (value: unknown): RawJson => RawJson.trusted(encodeJson(value));

/** Refuses what nobody could decide, with every fault. */
export async function refuseUnanswerable(asked: readonly NewApproval[]): Promise<void> {
  const faults: RequestFault[] = [];
  // One after the other, and each schema once: what others ask comes in between.
  const known = new Map<string, string | undefined>();
  for (const [i, approval] of asked.entries()) {
    const { schema } = approval;
    if (schema && !known.has(schema.text)) known.set(schema.text, await faultOfSchema(schema));
    faults.push(...faultsOf(approval, schema && known.get(schema.text), `/approvals/${i}`));
  }
  if (faults.length > 0) throw new DomainError('invalid_request', { faults });
}

function faultsOf(
  { due_at, on_due }: NewApproval,
  faultOfSchema: string | undefined,
  at: string,
): RequestFault[] {
  const faults: RequestFault[] = [];
  if (on_due !== undefined && due_at === undefined) {
    faults.push({ pointer: `${at}/on_due`, detail: 'goes with due_at only' });
  }
  if (faultOfSchema !== undefined) faults.push({ pointer: `${at}/schema`, detail: faultOfSchema });
  return faults;
}

/** The one question of a run that waits without naming approvals. */
export function impliedQuestion(question: RawJson): ApprovalDraft {
  return {
    ...draftOf(
      { kind: 'question', payload: question, allowed: ['respond'] },
      { step_id: null, arguments: null },
    ),
    is_implicit: true,
  };
}

/** What is to be opened, once it is known that all that it refers to is there, in the same run. */
export async function drafted(
  tx: Transaction,
  runId: string,
  asked: readonly NewApproval[],
): Promise<ApprovalDraft[]> {
  const subjects = await findSubjects(
    tx,
    runId,
    asked.map(({ tool_call_id = null, step_id = null }) => ({ tool_call_id, step_id })),
  );
  if (!subjects) throw notFound();
  return subjects.map((subject, i) => draftOf(asked[i] as NewApproval, subject));
}

function draftOf(
  asked: NewApproval,
  subject: { step_id: string | null; arguments: RawJson | null },
): ApprovalDraft {
  const { kind, payload = null, tool_call_id = null, schema = null, assignee = null, due_at = null } = asked;
  const decidedAbout = tool_call_id === null ? payload : subject.arguments;
  return {
    id: randomUUID(),
    kind,
    step_id: subject.step_id,
    tool_call_id,
    payload,
    arguments_hash: decidedAbout && hashOf(decidedAbout),
    allowed: jsonOf(asked.allowed ?? decisionsOf(kind)),
    schema,
    assignee,
    due_at,
    on_due: asked.on_due ?? (due_at === null ? null : 'cancel'),
    is_implicit: false,
  };
}

/** One hash a value, however it is spelt. */
function hashOf(value: RawJson): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** Asks people, each with its event; the run has to be held. */
export function ask(
  tx: Transaction,
  runId: string,
  drafts: readonly ApprovalDraft[],
  actor: string | null,
): Promise<void> {
  return insertApprovals(tx, runId, drafts, actor);
}

/** Whether a waiting run waits for just this, whatever of it is decided by now. */
export async function asksTheSame(
  tx: Transaction,
  runId: string,
  asked: readonly NewApproval[] | undefined,
): Promise<boolean> {
  const stored = await findAskedWhole(tx, runId);
  if (asked === undefined) return stored.every(({ is_implicit }) => is_implicit);
  return (
    stored.length === asked.length &&
    stored.every((row, i) => {
      const { allowed, ...said } = asked[i] as NewApproval;
      return !row.is_implicit && agreesWith(row, { ...said, allowed: allowed && jsonOf(allowed) });
    })
  );
}
