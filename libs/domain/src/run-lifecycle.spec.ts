import { RUN_COMMANDS, RUN_STATUSES, type RunCommand, type RunStatus } from '@agentflow/contracts';
import {
  advance,
  allowedTransitions,
  isTerminal,
  sourcesOf,
  targetOf,
  transitionsAsSql,
} from './run-lifecycle.js';

/** Status by command, written out once more by hand; a dash is a refusal. */
const TABLE: Record<RunStatus, Record<RunCommand, RunStatus | '-'>> = {
  pending: { start: 'running', wait: '-', resume: '-', succeed: '-', fail: '-', cancel: 'cancelled' },
  running: {
    start: '-',
    wait: 'waiting_human',
    resume: '-',
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'cancelled',
  },
  waiting_human: { start: '-', wait: '-', resume: 'running', succeed: '-', fail: '-', cancel: 'cancelled' },
  succeeded: { start: '-', wait: '-', resume: '-', succeed: '-', fail: '-', cancel: '-' },
  failed: { start: '-', wait: '-', resume: '-', succeed: '-', fail: '-', cancel: '-' },
  cancelled: { start: '-', wait: '-', resume: '-', succeed: '-', fail: '-', cancel: '-' },
};

describe('[S1] the lifecycle of a run', () => {
  it.each(RUN_STATUSES.flatMap((status) => RUN_COMMANDS.map((command) => [status, command] as const)))(
    '%s, %s',
    (status, command) => {
      const expected = TABLE[status][command];
      expect(advance(status, command) ?? '-').toBe(expected);
      expect(sourcesOf(command).includes(status)).toBe(expected !== '-');
      if (expected !== '-') expect(targetOf(command)).toBe(expected);
    },
  );

  it('says what can come next', () => {
    expect(Object.fromEntries(RUN_STATUSES.map((status) => [status, allowedTransitions(status)]))).toEqual({
      pending: ['running', 'cancelled'],
      running: ['waiting_human', 'succeeded', 'failed', 'cancelled'],
      waiting_human: ['running', 'cancelled'],
      succeeded: [],
      failed: [],
      cancelled: [],
    });
  });

  it('has three final statuses', () => {
    expect(RUN_STATUSES.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  it('writes itself as rows of SQL for the database to be tested against', () => {
    expect(transitionsAsSql()).toBe(
      "VALUES ('pending', 'running'), ('pending', 'cancelled'), ('running', 'waiting_human'), " +
        "('running', 'succeeded'), ('running', 'failed'), ('running', 'cancelled'), " +
        "('waiting_human', 'running'), ('waiting_human', 'cancelled')",
    );
  });
});
