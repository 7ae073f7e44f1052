import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { startThrowAwayPostgres } from '../../libs/database/src/embedded/throw-away-postgres.js';
import { migrate } from '../../libs/database/src/migrate.js';
import { APP_ROLE, WORKER_ROLE } from '../../libs/database/src/roles.js';
import { databaseUrl, type TestPostgres } from './test-postgres.js';

/**
 * Holds the cluster of a test run until the standard input ends: a throw-away one, or the server that
 * `AGENTFLOW_TEST_DATABASE_URL` names as a superuser; nothing but tests may use that one, for its two roles get
 * passwords. Writes one line when tests may begin.
 */
process.on('SIGINT', () => undefined); // Ctrl-C ends Jest, and that ends the input
process.stdout.on('error', () => undefined); // so does a Jest that is gone before we could answer
const given = process.env.AGENTFLOW_TEST_DATABASE_URL;
const throwAway = given ? undefined : await startThrowAwayPostgres();
try {
  const postgres = await prepare(given ?? (throwAway?.postgres.adminUrl as string));
  process.stdout.write(JSON.stringify(postgres) + '\n');
  process.stdin.resume();
  await once(process.stdin, 'end');
  if (given) await administer(given, (client) => client.query(`DROP DATABASE ${postgres.template}`));
} finally {
  await throwAway?.discard();
}

async function prepare(adminUrl: string): Promise<TestPostgres> {
  const template = `agentflow_template_${randomBytes(6).toString('hex')}`;
  // The same for every run against the same server, and not to be guessed without its superuser's URL.
  const password = createHash('sha256').update(`tests of ${adminUrl}`).digest('base64url');
  await administer(adminUrl, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate(databaseUrl(adminUrl, template));
  await administer(adminUrl, async (client) => {
    for (const role of [APP_ROLE, WORKER_ROLE]) {
      await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
    }
  });
  return { adminUrl, template, password };
}

async function administer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
