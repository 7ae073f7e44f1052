import { LeaseWatch } from '@agentflow/core';
import { WORKER_ROLE, connect } from '@agentflow/database';
import type { TestDatabase } from './database.js';

/** Logged in as the worker and as nobody else, each on connections of its own; a watch that complains fails the test. */
export async function withLeaseWatches<T>(
  database: TestDatabase,
  count: number,
  work: (watches: LeaseWatch[]) => Promise<T> | T,
): Promise<T> {
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const connections = await Promise.all(
    Array.from({ length: count }, () =>
      connect({
        url: database.workerUrl,
        role: WORKER_ROLE,
        size: 2,
        acquireTimeoutMs: 2_000,
        applicationName: 'agentflow test worker',
        limits: { statementTimeoutMs: 60_000, lockTimeoutMs: 500, idleTimeoutMs: 10_000 },
      }),
    ),
  );
  try {
    const result = await work(connections.map((connected) => new LeaseWatch(connected.database, log)));
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
    return result;
  } finally {
    await Promise.all(connections.map(({ close }) => close()));
  }
}
