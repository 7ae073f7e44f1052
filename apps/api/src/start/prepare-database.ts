import type { Configuration, ProcessLife } from '@agentflow/core';
import { migrate, openLogins, startEmbeddedPostgres, type Logins } from '@agentflow/database';
import type { Logger } from 'pino';
import { superviseDatabase } from './supervise.js';

/** Longer than Postgres gets to end by itself before it is ended at once. */
const END_WITHIN_MS = 7_000;

/**
 * Uses the Postgres that is configured, or starts the embedded one; brings its schema up to date either way, and
 * answers how to log in.
 */
export async function prepareDatabase(
  { databaseUrl, migrationUrl, dataDir }: Configuration,
  log: Logger,
  life: ProcessLife,
  say: (line: string) => void,
): Promise<Logins> {
  if (databaseUrl !== undefined) {
    await migrate(migrationUrl ?? databaseUrl, { log: say });
    return { appUrl: databaseUrl, workerUrl: databaseUrl };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  // Whatever ends this process, its server does not stay behind; a commit that was acknowledged survives that too.
  process.once('exit', () => void postgres.crash());
  life.onEnd('Postgres', () => postgres.stop({ deadlineMs: 5_000 }), END_WITHIN_MS);
  life.onEnd('the supervision of Postgres', superviseDatabase(postgres, log));
  await migrate(postgres.adminUrl, { log: say });
  return openLogins(postgres.adminUrl);
}
