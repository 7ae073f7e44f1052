import type { RunFinished, RunMoved, RunStarted, RunStatus } from '@agentflow/contracts';
import { DomainError, RawJson, allowedTransitions, isTerminal } from '@agentflow/domain';
import type { AgentRow } from '../agents/agent-row.js';
import { agreesWith } from '../reporting/same-content.js';
import { questionOf } from '../runs/run-moves.js';
import { earlier, later, withMembers, type Amends } from './amends.js';
import { same } from './step-work.js';
import type { HeldRun } from './sql/hold-runs.js';
import type { Effect } from './verdict.js';

/** The part of a run that reports change. */
export type RunFields = Omit<
  HeldRun,
  | 'now'
  | 'next_step_index'
  | 'next_message_index'
  | 'next_checkpoint_index'
  | 'last_event_seq'
  | 'last_event_xid'
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
  amends: Amends,
): Effect {
  const said = saidOf(run, item, run.announced ? amends : false);
  const hasNewAgent = agent !== undefined && agent.id !== run.agent_id;
  const adapter = item.adapter ?? agent?.adapter ?? run.adapter;
  if (run.announced) {
    const isSame =
      !hasNewAgent &&
      run.started_at === said.started_at &&
      same(run.metadata, said.metadata) &&
      same(run.tags, said.tags) &&
      (amends === 'partly' || item.adapter === undefined || item.adapter === run.adapter) &&
      (item.agent_id === undefined || item.agent_id === run.agent_id) &&
      (item.project_id === undefined || item.project_id === run.project_id) &&
      IDENTITY.every((name) => same(run[name], said[name]));
    if (isSame && run.status !== 'pending') return 'duplicate';
    if (!isSame && !amends && !isStaged(run, item)) throw new DomainError('id_conflict');
    if (amends === true && run.from_trace) run.adapter = adapter;
  } else if (agent) run.adapter = adapter;
  if (agent && (hasNewAgent || !run.announced)) {
    run.agent_id = agent.id;
    run.project_id = agent.project_id;
    run.agent_version = agent.version;
  }
  Object.assign(run, said, { announced: true });
  run.from_trace &&= amends !== false;
  run.origin = run.parent_run_id === null ? run.origin : (run.origin ?? 'subagent');
  if (run.status === 'pending') Object.assign(run, { status: 'running', last_move: 'start' });
  return 'updated';
}

type Said = Pick<RunFields, (typeof IDENTITY)[number] | 'metadata' | 'tags' | 'started_at'>;

/** The run as its announcement has it; where that knows only part of what was reported, the rest stays. */
function saidOf(run: RunFields, item: RunStarted<RawJson>, amends: Amends): Said {
  const stated = Object.fromEntries(
    IDENTITY.map((name) => [name, item[name] ?? (amends === 'partly' ? run[name] : null)]),
  );
  const tags = item.tags ?? [];
  const metadata = item.metadata ?? NO_METADATA;
  const whole = { ...(stated as Pick<Said, (typeof IDENTITY)[number]>), metadata, started_at: item.at };
  if (amends !== 'partly') return { ...whole, tags: tagsOf(tags) };
  return {
    ...whole,
    tags: tagsOf([...new Set([...(run.tags.parse() as string[]), ...tags])]),
    metadata: withMembers(run.metadata, metadata),
    started_at: earlier(run.started_at, item.at),
  };
}

function tagsOf(tags: readonly string[]): RawJson {
  return tags.length === 0 ? NO_TAGS : RawJson.trusted(JSON.stringify(tags));
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

/**
 * The end of the run. The first one stands; an amendment may say more of the same end, and move it while it is the
 * reporter's own. One that knows only part of what was reported moves it on, and never from a failure to a success.
 */
export function finishRun(run: RunFields, item: RunFinished<RawJson>, amends: Amends): Effect {
  const { output, error, error_type } = item;
  const isOver = isTerminal(run.status);
  const isOwn = amends !== false && run.ended_by_trace;
  const isKept = isOver && amends === 'partly' && run.status === 'failed' && item.status === 'succeeded';
  const status = isKept ? 'failed' : item.status;
  const stays = isOver && amends === 'partly';
  const at = isOver && !isOwn ? (run.ended_at ?? item.at) : stays ? later(run.ended_at, item.at) : item.at;
  if (isOver) {
    const isSame = run.status === status && agreesWith(run, { output, error, error_type });
    if (isSame && (!isOwn || run.ended_at === at)) return 'duplicate';
    // The mapping of what others report may not know what has been decided here.
    if (amends && !isOwn && run.status !== status) return 'duplicate';
    if (!amends) {
      throw new DomainError('run.transition_refused', {
        detail: `A run that is ${run.status} does not become ${status}.`,
        members: { current_state: run.status, allowed: allowedTransitions(run.status) },
      });
    }
  }
  Object.assign(run, {
    status,
    output: output ?? (stays ? run.output : null),
    error: error ?? (stays ? run.error : null),
    error_type: error_type ?? (stays ? run.error_type : null),
    ended_at: at,
    ended_by_trace: isOver ? run.ended_by_trace : amends !== false,
    waiting_for: null,
    last_move: COMMANDS[status],
  });
  return 'updated';
}

const COMMANDS = { succeeded: 'succeed', failed: 'fail', cancelled: 'cancel' } as const;
