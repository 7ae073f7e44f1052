import type { RunFinished, RunMoved, RunStarted, RunStatus } from '@agentflow/contracts';
import { DomainError, RawJson, allowedTransitions, isTerminal } from '@agentflow/domain';
import type { AgentRow } from '../agents/agent-row.js';
import { agreesWith } from '../reporting/same-content.js';
import { questionOf } from '../runs/run-moves.js';
import { same } from './step-work.js';
import type { HeldRun } from './sql/hold-runs.js';
import type { Effect } from './verdict.js';

/** The part of a run that reports change. */
export type RunFields = Omit<
  HeldRun,
  'now' | 'next_step_index' | 'next_message_index' | 'next_checkpoint_index' | 'last_event_seq'
>;

/** What an announcement says once and for all, beside whose run it is. */
const IDENTITY = ['name', 'input', 'session_id', 'external_id', 'parent_run_id'] as const;

const NO_METADATA = RawJson.trusted('{}');
const NO_TAGS = RawJson.trusted('[]');

/**
 * Announces the run. One that was only heard of becomes its agent's; for one that is known, the same content is no news
 * and other content a conflict.
 */
export function announceRun(
  run: RunFields,
  item: RunStarted<RawJson>,
  agent: Pick<AgentRow, 'id' | 'project_id' | 'version' | 'adapter'> | undefined,
  amends: boolean,
): Effect {
  const tags = item.tags === undefined ? NO_TAGS : RawJson.trusted(JSON.stringify(item.tags));
  const metadata = item.metadata ?? NO_METADATA;
  if (run.announced) {
    const isSame =
      run.started_at === item.at &&
      same(run.metadata, metadata) &&
      same(run.tags, tags) &&
      (item.adapter === undefined || item.adapter === run.adapter) &&
      (item.agent_id === undefined || item.agent_id === run.agent_id) &&
      (item.project_id === undefined || item.project_id === run.project_id) &&
      IDENTITY.every((name) => same(run[name], item[name]));
    if (isSame && run.status !== 'pending') return 'duplicate';
    if (!isSame && !amends && !isStaged(run, item)) throw new DomainError('id_conflict');
  } else if (agent) {
    run.agent_id = agent.id;
    run.project_id = agent.project_id;
    run.agent_version = agent.version;
    run.adapter = item.adapter ?? agent.adapter;
  }
  for (const name of IDENTITY) (run as Record<string, unknown>)[name] = item[name] ?? null;
  Object.assign(run, { metadata, tags, started_at: item.at, announced: true });
  run.from_trace &&= amends;
  run.origin = run.parent_run_id === null ? run.origin : (run.origin ?? 'subagent');
  if (run.status === 'pending') Object.assign(run, { status: 'running', last_move: 'start' });
  return 'updated';
}

/** A run that was created and not started: its start is news. */
function isStaged(run: RunFields, item: RunStarted<RawJson>): boolean {
  return (
    run.status === 'pending' &&
    IDENTITY.every((name) => item[name] === undefined || same(run[name], item[name]))
  );
}

/** Where the run stood last, by the reporters' clock. A run that has ended stays ended, and keeps what was answered. */
export function moveRun(run: RunFields, item: RunMoved<RawJson>): Effect {
  const { at, status } = item;
  const question = status === 'waiting_human' ? questionOf(item) : null;
  const input = status === 'running' ? (item.input ?? null) : null;
  const known = run.moved_at ?? '';
  if (at < known || (at === known && !outdoes(run, status, question, input))) return 'duplicate';
  run.moved_at = at;
  run.resume_input = input;
  if (isTerminal(run.status)) return 'updated';
  run.status = status;
  run.waiting_for = question;
  run.last_move = status === 'waiting_human' ? 'wait' : 'resume';
  return 'updated';
}

/**
 * Two moves of one moment: the greater answer outdoes, whether the run has ended meanwhile or not; of two without one,
 * waiting outdoes running, and then the greater question.
 */
function outdoes(
  run: RunFields,
  status: RunStatus,
  question: RawJson | null,
  input: RawJson | null,
): boolean {
  const [answer, known] = [input?.text ?? '', run.resume_input?.text ?? ''];
  if (answer !== known) return answer > known;
  if (isTerminal(run.status)) return false;
  if (status !== run.status) return status === 'waiting_human';
  return (question?.text ?? '') > (run.waiting_for?.text ?? '');
}

const COMMANDS = { succeeded: 'succeed', failed: 'fail', cancelled: 'cancel' } as const;

/** The end of the run. The first one stands; an amendment may say more of the same end. */
export function finishRun(run: RunFields, item: RunFinished<RawJson>, amends: boolean): Effect {
  const { status, output, error, error_type } = item;
  if (isTerminal(run.status)) {
    if (run.status === status && agreesWith(run, { output, error, error_type })) return 'duplicate';
    // The mapping of what others report may not know what has been decided here.
    if (amends && run.status !== status) return 'duplicate';
    if (!amends) {
      throw new DomainError('run.transition_refused', {
        detail: `A run that is ${run.status} does not become ${status}.`,
        members: { current_state: run.status, allowed: allowedTransitions(run.status) },
      });
    }
  }
  Object.assign(run, {
    status,
    output: output ?? null,
    error: error ?? null,
    error_type: error_type ?? null,
    ended_at: run.ended_at ?? item.at,
    waiting_for: null,
    last_move: COMMANDS[status],
  });
  return 'updated';
}
