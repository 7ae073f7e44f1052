import type { Database } from '@agentflow/database';
import { PRESUMED_FAILURE } from '../runs/presumed-end.js';
import { failRuns, type Failing } from './fail-runs.js';
import { MOST_SILENT, findSilentTraces, holdSilentTrace } from './sql/silent-traces.js';

/**
 * Fails traces that other reporters began, whose end was never reported and of which nothing comes any more. They end as
 * any run does that fails; what is heard of them after all reopens or corrects them.
 */
export class SilentTraces {
  constructor(
    private readonly database: Database,
    private readonly patienceSeconds: number,
    private readonly onFailure: (error: unknown, runId: string) => void,
  ) {}

  /** Ends those of all tenants, as far as it comes until it is told to stop; answers how many this was. */
  async end(stopping: AbortSignal): Promise<number> {
    const { database, patienceSeconds, onFailure } = this;
    if (patienceSeconds === 0) return 0;
    const silent: Failing = {
      find: () => findSilentTraces(database, patienceSeconds),
      most: MOST_SILENT,
      hold: (tx, id) => holdSilentTrace(tx, { id, patienceSeconds }),
      failure: PRESUMED_FAILURE,
      onFailure,
    };
    return failRuns(database, silent, stopping);
  }
}
