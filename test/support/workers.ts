import { ApprovalWatch, BulkActionRunner, Housekeeper, LeaseWatch, type RoundsLog } from '@agentflow/core';
import { WORKER_ROLE, connect, type Database } from '@agentflow/database';
import type { TestDatabase } from './database.js';

/** So many that work behind the doors, and how they are made. */
export interface Crew<Worker> {
  count: number;
  make(database: Database, log: RoundsLog): Worker;
  /** Where complaints go; without it, a worker that complains fails the test. */
  warnings?: string[];
  lockTimeoutMs?: number;
}

export const leaseWatches = (count = 1): Crew<LeaseWatch> => ({
  count,
  make: (database, log) => new LeaseWatch(database, log),
});

export const approvalWatches = (count = 1): Crew<ApprovalWatch> => ({
  count,
  make: (database, log) => new ApprovalWatch(database, log),
});

export const bulkActionRunners = (count = 1): Crew<BulkActionRunner> => ({
  count,
  make: (database, log) => new BulkActionRunner(database, log),
});

export const housekeepers = (count = 1, tracePatienceSeconds = 1_800): Crew<Housekeeper> => ({
  count,
  make: (database, log) => new Housekeeper(database, log, tracePatienceSeconds),
});

/** Workers that are logged in as the worker and as nobody else, each on connections of its own. */
export async function withWorkers<Worker, T>(
  database: Pick<TestDatabase, 'workerUrl'>,
  { count, make, warnings, lockTimeoutMs = 500 }: Crew<Worker>,
  work: (workers: Worker[]) => Promise<T>,
): Promise<T> {
  const complaints = warnings ?? [];
  const log = { info: () => undefined, warn: (_: object, message: string) => void complaints.push(message) };
  const connections = await Promise.all(
    Array.from({ length: count }, () =>
      connect({
        url: database.workerUrl,
        role: WORKER_ROLE,
        size: 2,
        acquireTimeoutMs: 2_000,
        applicationName: 'agentflow test worker',
        limits: { statementTimeoutMs: 60_000, lockTimeoutMs, idleTimeoutMs: 10_000 },
      }),
    ),
  );
  try {
    const result = await work(connections.map((connected) => make(connected.database, log)));
    if (!warnings && complaints.length > 0) throw new Error(complaints.join('\n'));
    return result;
  } finally {
    await Promise.all(connections.map(({ close }) => close()));
  }
}

/** What one round of each comes to, all at the same time. */
export function roundsOf<Figures>(
  database: Pick<TestDatabase, 'workerUrl'>,
  crew: Crew<{ round(): Promise<Figures> }>,
): Promise<Figures[]> {
  return withWorkers(database, crew, (workers) => Promise.all(workers.map((worker) => worker.round())));
}
