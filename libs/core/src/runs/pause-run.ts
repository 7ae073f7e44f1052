import type { Transaction } from '@agentflow/database';
import { RawJson, encodeJson, jsonMembers } from '@agentflow/domain';
import { ask, drafted, impliedQuestion, type ApprovalDraft } from '../approvals/ask.js';
import type { NewApproval } from '../approvals/approval-row.js';
import { answerByResuming } from '../approvals/settle.js';
import { holdRun } from '../reporting/run-head.js';
import { recordRunAct, type Told } from './run-acts.js';
import { moveOf } from './run-moves.js';
import type { RunRow } from './run-row.js';
import { move, type RunMove } from './sql/move-run.js';

/**
 * Lets a run wait for people, and asks them: what is asked, or the one question that the run waits for. Undefined when the
 * run does not stand where the move begins, or is out of sight.
 */
export async function paused(
  tx: Transaction,
  wanted: RunMove,
  asked: readonly NewApproval[] | undefined,
): Promise<RunRow | undefined> {
  const { runId, actor } = wanted;
  const head = await holdRun(tx, runId);
  if (!head || !wanted.from.includes(head.status)) return undefined;
  const question = wanted.waitingFor as RawJson;
  const drafts = asked ? await drafted(tx, runId, asked) : [impliedQuestion(question)];
  const waitingFor = asked ? withApprovals(question, drafts) : question;
  const [, row] = await tx.together(ask(tx, runId, drafts, actor), move(tx, { ...wanted, waitingFor }));
  return row;
}

/** Resumes a run that waits for nothing, or for the one question that the input answers; undefined alike. */
export async function resumed(
  tx: Transaction,
  wanted: RunMove,
  told: Told | undefined,
): Promise<RunRow | undefined> {
  const head = await holdRun(tx, wanted.runId);
  if (!head || !wanted.from.includes(head.status)) return undefined;
  await answerByResuming(tx, wanted.runId, wanted.resumeInput, wanted.actor);
  if (told) await recordRunAct(tx, told, head, { status: wanted.to });
  return move(tx, wanted);
}

/** Resumes a held run with what was decided. */
export async function goOn(
  tx: Transaction,
  runId: string,
  input: RawJson,
  actor: string | null,
): Promise<void> {
  await move(tx, moveOf(runId, 'resume', { input }, null, actor));
}

/** The question, and what its asker has to know to wait for each decision. */
function withApprovals(question: RawJson, drafts: readonly ApprovalDraft[]): RawJson {
  const approvals = drafts.map(({ id, kind, tool_call_id }) => ({ id, kind, tool_call_id }));
  const members = Object.fromEntries(jsonMembers(question) ?? []);
  return RawJson.trusted(encodeJson({ ...members, approvals }));
}
