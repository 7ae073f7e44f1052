import type { Configuration } from '@agentflow/core';
import { migrate, openLogins, startEmbeddedPostgres, type EmbeddedPostgres } from '@agentflow/database';

/** A migrated database, and how to log in to it. */
export interface PreparedDatabase {
  appUrl: string;
  workerUrl: string;
  /** The server, when it is ours. */
  postgres: EmbeddedPostgres | undefined;
}

/** Uses the Postgres that is configured, or starts the embedded one; brings its schema up to date either way. */
export async function prepareDatabase(
  { databaseUrl, migrationUrl, dataDir }: Configuration,
  say: (line: string) => void,
): Promise<PreparedDatabase> {
  if (databaseUrl !== undefined) {
    await migrate(migrationUrl ?? databaseUrl, { log: say });
    return { appUrl: databaseUrl, workerUrl: databaseUrl, postgres: undefined };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  try {
    await migrate(postgres.adminUrl, { log: say });
    return { ...(await openLogins(postgres.adminUrl)), postgres };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
