import { WORKER_ROLE, connect } from '@agentflow/database';
import type { Logger } from 'pino';
import type { Configuration } from '../configuration/configuration.js';
import { Housekeeper } from '../housekeeping/housekeeper.js';

/** The work behind the doors, under way. */
export interface Background {
  /** Whether the database answers. */
  isHealthy(): Promise<boolean>;
  /** Ends with the statement under way. */
  stop(): Promise<void>;
}

/** Few connections: the work is done one thing after the other. */
const CONNECTIONS = 2;

/** Starts the work that nobody waits for, in this process: as the worker's role, on connections of its own. */
export async function startBackground(
  url: string,
  { poolTimeoutMs, lockTimeoutMs }: Configuration,
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
  const housekeeper = new Housekeeper(database, log);
  housekeeper.start();
  return {
    isHealthy: () =>
      dataSource.query('SELECT 1').then(
        () => true,
        () => false,
      ),
    stop: async () => {
      await housekeeper.stop();
      await close();
    },
  };
}
