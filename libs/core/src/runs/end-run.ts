import type { Transaction } from '@agentflow/database';
import { callOff } from '../approvals/settle.js';
import { holdRun } from '../reporting/run-head.js';
import { recordRunAct, type Told } from './run-acts.js';
import type { RunRow } from './run-row.js';
import { endRun, endRunWithChildren, hasOpenChildren, type RunMove } from './sql/move-run.js';

/**
 * Carries out a final move with its event and what it does to open steps and tool calls; undefined when the run does not
 * stand where the move begins, or is out of sight. May conclude its part of the transaction, with what is told of it.
 */
export async function ended(tx: Transaction, wanted: RunMove, told?: Told): Promise<RunRow | undefined> {
  const [head, isAnythingOpen] = await tx.together(
    holdRun(tx, wanted.runId),
    hasOpenChildren(tx, wanted.runId),
  );
  if (!head || !wanted.from.includes(head.status)) return undefined;
  if (head.status === 'waiting_human') head.last_event_seq += await callOff(tx, wanted.runId, wanted.actor);
  if (told) {
    const { to: status, errorType } = wanted;
    const after = { status, ...(errorType === null ? {} : { error_type: errorType }) };
    await recordRunAct(tx, told, head, after);
  }
  return isAnythingOpen ? endRunWithChildren(tx, wanted) : endRun(tx, wanted, head);
}
