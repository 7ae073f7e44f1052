import { type RunCommand, RUN_COMMANDS, type RunStatus, RUN_STATUSES } from '@agentflow/contracts';

/**
 * The lifecycle of a run, the only place where it is written down: what each command leads to, and from
 * where. The API, the clients and the dashboard ask this table, and the database's trigger is tested against
 * it. A retry or a fork is a new run, so nothing leaves a final state;
 * an end that was only presumed is none to this table.
 */
const COMMANDS = {
  start: { from: ['pending'], to: 'running' },
  wait: { from: ['running'], to: 'waiting_human' },
  resume: { from: ['waiting_human'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  fail: { from: ['running'], to: 'failed' },
  cancel: { from: ['pending', 'running', 'waiting_human'], to: 'cancelled' },
} as const satisfies Record<RunCommand, { readonly from: readonly RunStatus[]; readonly to: RunStatus }>;

/** Where the command leads from this status; undefined when it is refused there. */
export function advance(status: RunStatus, command: RunCommand): RunStatus | undefined {
  return sourcesOf(command).includes(status) ? COMMANDS[command].to : undefined;
}

/** The statuses that the command is taken in: the `from` of its conditional update. */
export function sourcesOf(command: RunCommand): readonly RunStatus[] {
  return COMMANDS[command].from;
}

/** The status that the command leads to. */
export function targetOf(command: RunCommand): RunStatus {
  return COMMANDS[command].to;
}

/** The statuses that one move can reach from this one, in the order in which they are shown. */
export function allowedTransitions(status: RunStatus): RunStatus[] {
  const reached = RUN_COMMANDS.map((command) => advance(status, command));
  return RUN_STATUSES.filter((candidate) => reached.includes(candidate));
}

/** Whether the run has ended: no command is taken any more. */
export function isTerminal(status: RunStatus): boolean {
  return allowedTransitions(status).length === 0;
}

/** Every allowed move as the rows of an SQL list, `VALUES ('pending', 'running'), …`: from, to. */
export function transitionsAsSql(): string {
  const moves = RUN_STATUSES.flatMap((from) => allowedTransitions(from).map((to) => `('${from}', '${to}')`));
  return `VALUES ${moves.join(', ')}`;
}
