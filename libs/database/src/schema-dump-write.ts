import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { startThrowAwayPostgres } from './embedded/throw-away-postgres.js';
import { migrate } from './migrate.js';
import { dumpSchema } from './schema-dump.js';

/** The program that writes `migrations/schema.sql` anew: migrates a throw-away database and dumps it. */
const throwAway = await startThrowAwayPostgres();
try {
  const { adminUrl } = throwAway.postgres;
  await migrate(adminUrl);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await writeFile('migrations/schema.sql', await dumpSchema(client));
  await client.end();
} finally {
  await throwAway.discard();
}
