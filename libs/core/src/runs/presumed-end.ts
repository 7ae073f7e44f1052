import type { RunStatus } from '@agentflow/contracts';

/** How a trace ends that another reporter began, and of which nothing more came. */
export const PRESUMED_FAILURE = {
  error: 'The trace is incomplete: its end was not reported, and nothing more came.',
  error_type: 'trace_incomplete',
};

/** Whether the end was presumed: what its reporter says after all takes its place, which the guard of the table lets pass. */
export function hasPresumedEnd(run: {
  from_trace: boolean;
  status: RunStatus;
  error_type: string | null;
}): boolean {
  return run.from_trace && run.status === 'failed' && run.error_type === PRESUMED_FAILURE.error_type;
}
