import { randomBytes } from 'node:crypto';
import { APP_ROLE, WORKER_ROLE } from '@agentflow/database';
import pg from 'pg';
import { databaseUrl, type TestPostgres } from './test-postgres.js';

/** A database of a test file's own. */
export interface TestDatabase {
  readonly name: string;
  /** As the cluster's superuser. */
  readonly adminUrl: string;
  /** As `agentflow_app` itself. */
  readonly appUrl: string;
  /** As `agentflow_worker` itself. */
  readonly workerUrl: string;
  /** Removes it, and fails when somebody still has a connection to it. */
  drop(): Promise<void>;
}

/** A clone of the migrated template: empty tables, nothing else. */
export function aDatabase(): Promise<TestDatabase> {
  return create(testPostgres().template);
}

/** A database that has never seen a migration. */
export function anEmptyDatabase(): Promise<TestDatabase> {
  return create('template0');
}

/** Opens a connection, hands it to `work` and closes it, whatever happens. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function testPostgres(): TestPostgres {
  return JSON.parse(process.env.AGENTFLOW_TEST_POSTGRES as string) as TestPostgres;
}

/** The default strategy logs the copy instead of forcing checkpoints, for which the other test files would wait. */
async function create(template: string): Promise<TestDatabase> {
  const { adminUrl, password } = testPostgres();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await connected(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    name,
    adminUrl: databaseUrl(adminUrl, name),
    appUrl: databaseUrl(adminUrl, name, { role: APP_ROLE, password }),
    workerUrl: databaseUrl(adminUrl, name, { role: WORKER_ROLE, password }),
    drop: () => connected(adminUrl, (client) => drop(client, name)),
  };
}

/** Postgres itself waits some seconds for connections that are just closing. */
async function drop(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`DROP DATABASE ${name}`);
  } catch (error) {
    const { rows } = await client.query(
      'SELECT usename, application_name, state, query FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    throw new Error(`Connections were leaked: ${JSON.stringify(rows, null, 2)}`, { cause: error });
  }
}
