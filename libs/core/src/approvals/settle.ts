import type { Transaction } from '@agentflow/database';
import { DomainError, RawJson, encodeJson } from '@agentflow/domain';
import { findAsked, type AskedRow } from './sql/find-approvals.js';
import { resolveApprovals, type Resolution } from './sql/resolve-approvals.js';

/**
 * Ends one approval of a held run. Answers what the run is to be resumed with when this was the last that it waited for;
 * `false` when it was not open any more.
 */
export async function settle(
  tx: Transaction,
  resolution: Resolution & { approvalId: string },
): Promise<{ resumeInput: RawJson | undefined } | false> {
  if ((await resolveApprovals(tx, resolution)) === 0) return false;
  const asked = await findAsked(tx, resolution.runId);
  const isOver = asked.every(({ status }) => status !== 'pending');
  return { resumeInput: isOver ? decisionsIn(asked) : undefined };
}

/** What an agent finds when it goes on: the answer to the one question, or what was decided about each approval. */
function decisionsIn(asked: readonly AskedRow[]): RawJson {
  const [first] = asked;
  if (first?.is_implicit) return first.answer ?? RawJson.trusted('null');
  const approvals = asked.map(({ is_implicit: _, ...decided }) => decided);
  return RawJson.trusted(encodeJson({ approvals }));
}

/**
 * Answers the one question that a held run may wait for by resuming it. Refuses when the run waits for approvals that were
 * asked for: each is decided by itself.
 */
export async function answerByResuming(
  tx: Transaction,
  runId: string,
  answer: RawJson | null,
  actor: string | null,
): Promise<void> {
  const open = (await findAsked(tx, runId)).filter(({ status }) => status === 'pending');
  const asked = open.filter(({ is_implicit }) => !is_implicit);
  if (asked.length > 0) {
    throw new DomainError('run.approvals_open', {
      detail: 'Decide the approvals that are open; the run goes on with the last decision.',
      members: { open: asked.map(({ id }) => id) },
    });
  }
  if (open.length > 0)
    await resolveApprovals(tx, { runId, status: 'responded', answer: answer ?? undefined, actor });
}

/** Ends what a held run waits for, since it ends or goes on without it; answers how many events that made. */
export function callOff(tx: Transaction, runId: string, actor: string | null): Promise<number> {
  return resolveApprovals(tx, { runId, status: 'cancelled', actor });
}
