import { Housekeeper } from '@agentflow/core';
import { WORKER_ROLE, connect } from '@agentflow/database';
import type { TestDatabase } from './database.js';

/** Logged in as the worker and as nobody else, each on connections of its own; what they complain about is in `warnings`. */
export async function withHousekeepers<T>(
  database: TestDatabase,
  count: number,
  work: (housekeepers: Housekeeper[], warnings: readonly string[]) => Promise<T>,
  tracePatienceSeconds = 1_800,
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
    return await work(
      connections.map((connected) => new Housekeeper(connected.database, log, tracePatienceSeconds)),
      warnings,
    );
  } finally {
    await Promise.all(connections.map(({ close }) => close()));
  }
}
