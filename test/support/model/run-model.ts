import type { RunCommand, RunStatus } from '@agentflow/contracts';
import { FINAL, MOVES } from '../run-states.js';

export const KINDS = ['step', 'message', 'tool_call', 'checkpoint'] as const;
export type Kind = (typeof KINDS)[number];
export type Completable = 'step' | 'tool_call';
/** Which of two contents a request has; a completion with the second one failed. */
export type Variant = 0 | 1;

export type Action =
  | { do: 'move'; command: RunCommand; variant: Variant }
  | { do: 'add'; kind: Kind; slot: number; variant: Variant }
  | { do: 'complete'; kind: Completable; slot: number; variant: Variant }
  | { do: 'heartbeat'; isHolder: boolean }
  | { do: 'delete'; force: boolean }
  | { do: 'show' };

/** What can be seen of an answer; what an action does not show is absent. */
export interface Seen {
  status: number;
  code?: string;
  /** The state that refused. */
  current?: string;
  /** Where the run or the child stands. */
  now?: string;
  index?: number;
  totals?: Record<string, number>;
}

interface Child {
  variant: Variant;
  status: 'running' | 'succeeded' | 'failed' | 'cancelled';
  completed?: Variant;
}

/** A run as a plain table has it. */
export interface State {
  status: RunStatus;
  lastMove?: { command: RunCommand; variant: Variant };
  isDeleted: boolean;
  /** By kind and slot, in the order in which they came. */
  children: Record<string, Child>;
  events: string[];
}

export const BEGINNING: State = {
  status: 'pending',
  isDeleted: false,
  children: {},
  events: ['run.created'],
};

const EVENTS: Record<RunCommand, string> = {
  start: 'run.started',
  wait: 'run.waiting_human',
  resume: 'run.resumed',
  succeed: 'run.succeeded',
  fail: 'run.failed',
  cancel: 'run.cancelled',
};
const ADDED: Record<Kind, string> = {
  step: 'step.started',
  message: 'message.created',
  tool_call: 'tool_call.started',
  checkpoint: 'checkpoint.created',
};

type Outcome = [answer: Seen, next: State];

/** What an action is answered in a state, and what it makes of it. */
export function apply(state: State, action: Action): Outcome {
  if (state.isDeleted) {
    const isWrite = action.do !== 'delete' && action.do !== 'show';
    return [isWrite ? { status: 410, code: 'run.deleted' } : { status: 404, code: 'not_found' }, state];
  }
  switch (action.do) {
    case 'move':
      return move(state, action);
    case 'add':
      return add(state, action);
    case 'complete':
      return complete(state, action);
    case 'heartbeat':
      if (action.isHolder) return [{ status: 200, now: state.status }, state];
      return [{ status: 409, code: 'run.lease_lost', current: state.status }, state];
    case 'delete': {
      const isActive = state.status === 'running' || state.status === 'waiting_human';
      if (isActive && !action.force)
        return [{ status: 409, code: 'run.active', current: state.status }, state];
      return [{ status: 204 }, { ...state, isDeleted: true, events: [] }];
    }
    case 'show':
      return [{ status: 200, now: state.status, totals: totalsOf(state) }, state];
  }
}

function move(state: State, { command, variant }: Action & { do: 'move' }): Outcome {
  const to = MOVES[state.status][command];
  if (to) {
    const { children, events } = closed(state, command);
    const told = [...state.events, ...ofApproval(state.status, command), ...events, EVENTS[command]];
    return [
      { status: 200, now: to },
      { ...state, status: to, lastMove: { command, variant }, children, events: told },
    ];
  }
  const isRepeat = state.lastMove?.command === command && state.lastMove.variant === variant;
  if (isRepeat) return [{ status: 200, now: state.status }, state];
  return [{ status: 409, code: 'run.transition_refused', current: state.status }, state];
}

/** A run that waits asks one question, which ends with the wait. */
function ofApproval(status: RunStatus, command: RunCommand): string[] {
  if (command === 'wait') return ['approval.requested'];
  return status === 'waiting_human' ? ['approval.resolved'] : [];
}

/** The children after a move: a failure or a cancellation closes those that are open. */
function closed({ children }: State, command: RunCommand): Pick<State, 'children' | 'events'> {
  if (command !== 'fail' && command !== 'cancel') return { children, events: [] };
  const status = command === 'fail' ? ('failed' as const) : ('cancelled' as const);
  const open = Object.entries(children).filter(([, child]) => child.status === 'running');
  const steps = open
    .filter(([name]) => name.startsWith('step'))
    .map(() => (command === 'fail' ? 'step.failed' : 'step.completed'));
  const calls = open.filter(([name]) => name.startsWith('tool_call')).map(() => 'tool_call.completed');
  return {
    children: {
      ...children,
      ...Object.fromEntries(open.map(([name, child]) => [name, { ...child, status }])),
    },
    events: [...steps, ...calls],
  };
}

function add(state: State, { kind, slot, variant }: Action & { do: 'add' }): Outcome {
  const name = `${kind} ${slot}`;
  const known = state.children[name];
  const ofKind = Object.keys(state.children).filter((other) => other.startsWith(kind));
  const place = (at: number): Pick<Seen, 'index'> => (kind === 'tool_call' ? {} : { index: at });
  if (known) {
    if (known.variant !== variant) return [{ status: 409, code: 'id_conflict' }, state];
    return [{ status: 200, ...place(ofKind.indexOf(name)) }, state];
  }
  if (FINAL.includes(state.status)) return [{ status: 409, code: 'run.final', current: state.status }, state];
  const isOpen = kind === 'step' || kind === 'tool_call';
  const child: Child = { variant, status: isOpen ? 'running' : 'succeeded' };
  const children = { ...state.children, [name]: child };
  return [
    { status: 201, ...place(ofKind.length) },
    { ...state, children, events: [...state.events, ADDED[kind]] },
  ];
}

/** Within a minute after the end of the run, what was open then may still be completed, once. */
function complete(state: State, { kind, slot, variant }: Action & { do: 'complete' }): Outcome {
  const name = `${kind} ${slot}`;
  const child = state.children[name];
  if (!child) return [{ status: 404, code: 'not_found' }, state];
  if (child.completed === variant) return [{ status: 200, now: child.status }, state];
  if (child.completed !== undefined) {
    return [{ status: 409, code: 'already_completed', current: child.status }, state];
  }
  const status = variant === 0 ? ('succeeded' as const) : ('failed' as const);
  const event =
    kind === 'tool_call' ? 'tool_call.completed' : variant === 0 ? 'step.completed' : 'step.failed';
  const children = { ...state.children, [name]: { ...child, status, completed: variant } };
  return [
    { status: 200, now: status },
    { ...state, children, events: [...state.events, event] },
  ];
}

function totalsOf({ children }: State): Record<string, number> {
  const count = (kind: Kind, status?: string): number =>
    Object.entries(children).filter(
      ([name, child]) => name.startsWith(kind) && (status === undefined || child.status === status),
    ).length;
  return {
    steps: count('step'),
    failed_steps: count('step', 'failed'),
    tool_calls: count('tool_call'),
    failed_tool_calls: count('tool_call', 'failed'),
    messages: count('message'),
  };
}
