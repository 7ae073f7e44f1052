import type { RunCommand, RunStatus } from '@agentflow/contracts';
import type { Client } from './client.js';
import { aRun } from './things.js';

type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

export const STATES: readonly RunStatus[] = [
  'pending',
  'running',
  'waiting_human',
  'succeeded',
  'failed',
  'cancelled',
];
export const FINAL: readonly RunStatus[] = ['succeeded', 'failed', 'cancelled'];

/** The lifecycle as the documents draw it, apart from the product's own table. */
export const MOVES: Readonly<Record<RunStatus, Partial<Record<RunCommand, RunStatus>>>> = {
  pending: { start: 'running', cancel: 'cancelled' },
  running: { wait: 'waiting_human', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  waiting_human: { resume: 'running', cancel: 'cancelled' },
  succeeded: {},
  failed: {},
  cancelled: {},
};

/** The statuses that one move can reach, in the order in which they are shown. */
export const reachableFrom = (state: RunStatus): RunStatus[] => {
  const reached = Object.values(MOVES[state]);
  return STATES.filter((candidate) => reached.includes(candidate));
};

const PATHS: Readonly<Record<RunStatus, readonly RunCommand[]>> = {
  pending: [],
  running: ['start'],
  waiting_human: ['start', 'wait'],
  succeeded: ['start', 'succeed'],
  failed: ['start', 'fail'],
  cancelled: ['start', 'cancel'],
};

/** A run that was brought into a state by moves without content. */
export async function aRunIn(
  client: Client,
  state: RunStatus,
  members: Record<string, unknown> = {},
): Promise<Thing> {
  let run = await aRun(client, members);
  for (const command of PATHS[state]) {
    const { lease_token } = run;
    const answer = await client.post(`/v1/runs/${run.id}/${command}`, {});
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    run = { lease_token, ...answer.body };
  }
  return run;
}
