import { WORKER_ROLE, connect } from '@agentflow/database';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BulkActionRunner } from '../bulk-actions/bulk-action-runner.js';
import type { Configuration } from '../configuration/configuration.js';
import { ApprovalWatch } from '../housekeeping/approval-watch.js';
import { Housekeeper } from '../housekeeping/housekeeper.js';
import { LeaseWatch } from '../housekeeping/lease-watch.js';
import { startRunNews } from '../run-log/run-news.js';

/** The work behind the doors, under way. */
export interface Background {
  /** Whether the database answers. */
  isHealthy(): Promise<boolean>;
  /** Ends with the transaction under way; whatever that was a part of goes on with the next start. */
  stop(): Promise<void>;
}

/** How long the transaction under way may take at the end; one that is left behind is rolled back. */
export const BACKGROUND_ENDS_WITHIN_MS = 5_000;

/** How long a database may stay silent until it is none: whoever asks waits a few seconds. */
const PATIENCE_MS = 2_000;

/** Few connections: each kind of work does one thing after the other, and does not wait for the rest. */
const CONNECTIONS = 5;

/** Starts the work that nobody waits for, in this process: as the worker's role, on connections of its own. */
export async function startBackground(
  url: string,
  { listenUrl, poolTimeoutMs, lockTimeoutMs, tracePatienceSeconds }: Configuration,
  log: Logger,
): Promise<Background> {
  const { dataSource, database, close } = await connect({
    url,
    role: WORKER_ROLE,
    size: CONNECTIONS,
    acquireTimeoutMs: poolTimeoutMs,
    applicationName: 'agentflow worker',
    onConnectionLost: (error) => log.warn({ err: error }, 'an idle connection to Postgres broke'),
    limits: { statementTimeoutMs: 60_000, lockTimeoutMs, idleTimeoutMs: 10_000 },
  });
  const rounds = [
    new Housekeeper(database, log, tracePatienceSeconds),
    new LeaseWatch(database, log),
    new ApprovalWatch(database, log),
    new BulkActionRunner(database, log),
  ];
  const news = startRunNews(database, listenUrl ?? url, log);
  for (const each of rounds) each.start();
  return {
    isHealthy: () => {
      const answers = dataSource.query('SELECT 1').then(
        () => true,
        () => false,
      );
      return Promise.race([answers, delay(PATIENCE_MS, false, { ref: false })]);
    },
    stop: async () => {
      const stopped = Promise.all([...rounds.map((each) => each.stop()), news.end()]);
      await close();
      await stopped;
    },
  };
}
