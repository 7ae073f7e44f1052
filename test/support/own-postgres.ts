import { openLogins } from '../../libs/database/src/logins.js';
import { migrate } from '../../libs/database/src/migrate.js';
import { startThrowAwayPostgres } from '../../libs/database/src/embedded/throw-away-postgres.js';
import type { TestDatabase } from './database.js';

/** A Postgres server that a test may stop, migrated, with a login for each role. */
export interface OwnPostgres {
  readonly database: Pick<TestDatabase, 'adminUrl' | 'appUrl' | 'workerUrl'>;
  /** Ends it at once, as `pg_ctl stop -m immediate` does: nothing is written any more, and connections break. */
  stopAtOnce(): Promise<void>;
  /** Resolves when it takes connections again. */
  startAgain(): Promise<void>;
  discard(): Promise<void>;
}

/** Never the cluster that the other test files share. What it acknowledged has to outlive it, so commits are durable. */
export async function aPostgresOfItsOwn(): Promise<OwnPostgres> {
  const { postgres, discard } = await startThrowAwayPostgres({ durable: true });
  try {
    await migrate(postgres.adminUrl);
    return {
      database: { adminUrl: postgres.adminUrl, ...(await openLogins(postgres.adminUrl)) },
      stopAtOnce: () => postgres.crash(),
      startAgain: () => postgres.start(),
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}
