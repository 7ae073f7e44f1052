import type { RunCommand, RunEventType } from '@agentflow/contracts';
import { RawJson, encodeJson, jsonMembers, sourcesOf, targetOf } from '@agentflow/domain';
import type { NewApproval } from '../approvals/approval-row.js';
import { samePayload } from '../reporting/same-content.js';
import type { RunRow } from './run-row.js';
import type { RunMove } from './sql/move-run.js';

/** What a command brings along; each takes the members that are its own. */
export interface MoveContent {
  /** succeed */
  output?: RawJson;
  /** fail */
  error?: string;
  error_type?: string;
  /** cancel */
  reason?: string;
  /** wait */
  question?: string;
  payload?: RawJson;
  kind?: string;
  approvals?: NewApproval[];
  /** resume */
  input?: RawJson;
  /** start */
  lease_seconds?: number;
}

/** How the log names each move. */
const EVENTS: Readonly<Record<RunCommand, RunEventType>> = {
  start: 'run.started',
  wait: 'run.waiting_human',
  resume: 'run.resumed',
  succeed: 'run.succeeded',
  fail: 'run.failed',
  cancel: 'run.cancelled',
};

const NULL = RawJson.trusted('null');

/** The move that a command with this content is. */
export function moveOf(
  runId: string,
  command: RunCommand,
  content: MoveContent,
  leaseToken: string | null,
  actor: string | null,
): RunMove {
  return {
    runId,
    command,
    from: sourcesOf(command),
    to: targetOf(command),
    event: EVENTS[command],
    output: command === 'succeed' ? (content.output ?? null) : null,
    error: (command === 'cancel' ? content.reason : content.error) ?? null,
    errorType: content.error_type ?? null,
    waitingFor: command === 'wait' ? questionOf(content) : null,
    resumeInput: command === 'resume' ? (content.input ?? NULL) : null,
    leaseSeconds: content.lease_seconds ?? null,
    leaseToken,
    actor,
  };
}

/** What a run waits for, as it is kept. */
export function questionOf({
  question,
  payload,
  kind,
}: Pick<MoveContent, 'question' | 'payload' | 'kind'>): RawJson {
  const members = [
    ...(kind === undefined ? [] : [`"kind":${JSON.stringify(kind)}`]),
    ...(question === undefined ? [] : [`"question":${JSON.stringify(question)}`]),
    ...(payload === undefined ? [] : [`"payload":${payload.text}`]),
  ];
  return RawJson.trusted(`{${members.join(',')}}`);
}

/** The question as it was asked, without what the approvals have become. */
function questionIn(waitingFor: RawJson | null): RawJson | null {
  const members = waitingFor && jsonMembers(waitingFor);
  if (!members?.delete('approvals')) return waitingFor;
  return RawJson.trusted(encodeJson(Object.fromEntries(members)));
}

/** Whether the run keeps what the command brought along; what an earlier command left there says nothing. */
const KEEPS: Readonly<Record<RunCommand, (run: RunRow, move: RunMove) => boolean>> = {
  start: (run, move) => move.leaseSeconds === null || run.lease_seconds === move.leaseSeconds,
  wait: (run, move) => samePayload(questionIn(run.waiting_for), move.waitingFor),
  resume: (run, move) => samePayload(run.resume_input, move.resumeInput),
  succeed: (run, move) => samePayload(run.output, move.output),
  fail: (run, move) => run.error === move.error && run.error_type === move.errorType,
  cancel: (run, move) => run.error === move.error,
};

/** Whether the run stands where this move brought it: the same move with the same content again. */
export function isRepeat(run: RunRow, move: RunMove): boolean {
  return run.status === move.to && run.last_move === move.command && KEEPS[move.command](run, move);
}
