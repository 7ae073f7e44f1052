import { organizationScope, type Database, type Transaction } from '@agentflow/database';
import { ended } from '../runs/end-run.js';
import { PRESUMED_FAILURE } from '../runs/presumed-end.js';
import { moveOf } from '../runs/run-moves.js';
import { MOST_SILENT, findSilentTraces, holdSilentTrace, type SilentTrace } from './sql/silent-traces.js';

/** As many as share a transaction. */
const TOGETHER = 32;

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
    if (this.patienceSeconds === 0) return 0;
    for (let total = 0; ;) {
      const found = await findSilentTraces(this.database, this.patienceSeconds);
      let count = 0;
      for (const traces of groupsOf(found)) {
        if (stopping.aborted) return total + count;
        count += (await Promise.all(traces.map((trace) => this.hasEnded(trace)))).filter(Boolean).length;
      }
      total += count;
      // Those that are left will not end now: somebody holds them, or they cannot be ended.
      if (found.length < MOST_SILENT || count === 0) return total;
    }
  }

  /** One that cannot be ended now does not keep the others from it. */
  private async hasEnded({ tenant_id, id }: SilentTrace): Promise<boolean> {
    const { patienceSeconds } = this;
    const actor = { scope: organizationScope(tenant_id) };
    try {
      return await this.database.grouped(actor, id, async (tx: Transaction) => {
        if (!(await holdSilentTrace(tx, { id, patienceSeconds }))) return false;
        return (await ended(tx, moveOf(id, 'fail', PRESUMED_FAILURE, null, null))) !== undefined;
      });
    } catch (error) {
      this.onFailure(error, id);
      return false;
    }
  }
}

/** The traces in small groups, each of one tenant. */
function groupsOf(traces: readonly SilentTrace[]): SilentTrace[][] {
  const ofTenants = new Map<string, SilentTrace[]>();
  for (const trace of traces)
    ofTenants.set(trace.tenant_id, [...(ofTenants.get(trace.tenant_id) ?? []), trace]);
  return [...ofTenants.values()].flatMap((ofTenant) =>
    Array.from({ length: Math.ceil(ofTenant.length / TOGETHER) }, (_, i) =>
      ofTenant.slice(i * TOGETHER, (i + 1) * TOGETHER),
    ),
  );
}
