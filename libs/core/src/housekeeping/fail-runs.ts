import { organizationScope, type Database, type Transaction } from '@agentflow/database';
import { THE_PRODUCT } from '../audit-log/act.js';
import { ended } from '../runs/end-run.js';
import { moveOf } from '../runs/run-moves.js';

/** As many as share a transaction. */
const TOGETHER = 32;

/** A run of some tenant. */
export interface FoundRun {
  tenant_id: string;
  id: string;
}

/** Runs that fail without anybody saying so. */
export interface Failing {
  /** Some of them, of all tenants, at most so many at once. */
  find(): Promise<FoundRun[]>;
  readonly most: number;
  /** Holds the run if it is one of them still; passes by one that somebody else holds. */
  hold(tx: Transaction, id: string): Promise<boolean>;
  readonly failure: { error: string; error_type: string };
  onFailure(error: unknown, runId: string): void;
}

/**
 * Fails them as any run fails, with their events and what is open below them, as far as it comes until it is told to
 * stop; answers how many this was. However many do this at the same time, each run fails once.
 */
export async function failRuns(database: Database, failing: Failing, stopping: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    const found = await failing.find();
    let count = 0;
    for (const runs of groupsOf(found)) {
      if (stopping.aborted) return total + count;
      count += (await Promise.all(runs.map((run) => hasFailed(database, failing, run)))).filter(
        Boolean,
      ).length;
    }
    total += count;
    // Those that are left will not end now: somebody holds them, or they cannot be ended.
    if (found.length < failing.most || count === 0) return total;
  }
}

/** One that cannot be ended now does not keep the others from it. */
async function hasFailed(
  database: Database,
  failing: Failing,
  { tenant_id, id }: FoundRun,
): Promise<boolean> {
  try {
    return await database.grouped({ scope: organizationScope(tenant_id) }, id, async (tx) => {
      if (!(await failing.hold(tx, id))) return false;
      const told = { by: THE_PRODUCT, action: 'run.failed' } as const;
      return (await ended(tx, moveOf(id, 'fail', failing.failure, null, null), told)) !== undefined;
    });
  } catch (error) {
    failing.onFailure(error, id);
    return false;
  }
}

/** The runs in small groups, each of one tenant. */
function groupsOf(runs: readonly FoundRun[]): FoundRun[][] {
  const ofTenants = new Map<string, FoundRun[]>();
  for (const run of runs) ofTenants.set(run.tenant_id, [...(ofTenants.get(run.tenant_id) ?? []), run]);
  return [...ofTenants.values()].flatMap((ofTenant) =>
    Array.from({ length: Math.ceil(ofTenant.length / TOGETHER) }, (_, i) =>
      ofTenant.slice(i * TOGETHER, (i + 1) * TOGETHER),
    ),
  );
}
