import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { AbstractLogger, DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { allMigrations } from './migrate-files.js';
import { MigrationRefused, MIGRATIONS_TABLE, pendingOver } from './migrate-pending.js';
import { ensureRoles, OWNER_ROLE, RolesMissing } from './roles.js';

export interface MigrateOptions {
  /** Takes one sentence of progress at a time, for the person who waits. */
  readonly log?: (line: string) => void;
}

const OLDEST_SERVER = 150000;
const LOCK_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 10;
/** One number for all migrators of a database; it means nothing. */
const MIGRATORS_LOCK = 4_400_170_001;
const LOCK_POLL_MS = 200;
const LOCK_PATIENCE_MS = 600_000;

/**
 * Brings a database to the schema of this version and answers the names of what it applied; `url` must lead to
 * Postgres itself, not to a pooler in transaction mode.
 *
 * Each migration commits as a whole, together with the note that it was applied, so a process that is killed
 * leaves nothing half done. Of two migrators one waits for the other and finds nothing left. A migration that
 * waits two seconds for a lock gives up, lets the traffic behind it pass and tries again. Everything it makes
 * belongs to `agentflow_owner`; a login that may not become that is enough when nothing is pending, and
 * `MigrationRefused` when something is.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return overConnection(url, async (runner, client) => {
    if (!(await isPrepared(client))) return [];
    return asOnlyMigrator(runner, options, async (executor) => {
      await pendingOver(client); // refuses what another migrator may have made of it meanwhile
      await createMigrationsTable(runner);
      const applied = await executor.executePendingMigrations();
      return applied.map(({ name }) => name);
    });
  });
}

/** Takes back the migration that was applied last and answers its name; data that only it had room for is gone. */
export async function revertMigration(
  url: string,
  options: MigrateOptions = {},
): Promise<string | undefined> {
  return overConnection(url, async (runner, client) => {
    const pending = await pendingOver(client);
    const applied = (await allMigrations()).map(({ name }) => name).filter((name) => !pending.includes(name));
    if (applied.length === 0) return undefined;
    await asOnlyMigrator(runner, options, (executor) => executor.undoLastMigration());
    return applied.at(-1);
  });
}

/** TypeORM would write to the console; failures are thrown anyway, and progress has its own way. */
class Silence extends AbstractLogger {
  protected override writeLog(): void {}
}

/** One connection, so that the lock, the role and the migrations end together whatever happens. */
async function overConnection<T>(
  url: string,
  work: (runner: QueryRunner, client: ClientBase) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    applicationName: 'agentflow migrate',
    poolSize: 1,
    connectTimeoutMS: 10_000,
    poolErrorHandler: () => undefined,
    installExtensions: false,
    synchronize: false,
    logger: new Silence(),
    migrations: await allMigrations(),
    migrationsTableName: MIGRATIONS_TABLE,
  });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    const client = (await runner.connect()) as ClientBase;
    try {
      await refuseOldServer(client);
      return await work(runner, client);
    } finally {
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

async function refuseOldServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const server = rows[0];
  if (server && server.number < OLDEST_SERVER) {
    throw new MigrationRefused(`AgentFlow needs Postgres 15 or newer; this server is ${server.version}.`);
  }
}

/** Prepares the roles; false when there is nothing to do at all. */
async function isPrepared(client: ClientBase): Promise<boolean> {
  const pending = await pendingOver(client);
  try {
    await ensureRoles(client);
  } catch (error) {
    if (!(error instanceof RolesMissing)) throw error;
    if (pending.length === 0) return false;
    throw new MigrationRefused(`The database lacks ${pending.join(', ')}. ${error.message}`, {
      cause: error,
    });
  }
  return pending.length > 0;
}

async function asOnlyMigrator<T>(
  runner: QueryRunner,
  { log = () => undefined }: MigrateOptions,
  work: (executor: MigrationExecutor) => Promise<T>,
): Promise<T> {
  await runner.query(`SET ROLE ${OWNER_ROLE}`);
  await runner.query(`SET search_path = public`);
  await runner.query(`SET statement_timeout = 0`);
  await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await takeTurn(runner, log);
  const executor = new MigrationExecutor(runner.dataSource, runner);
  executor.transaction = 'each';
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(executor);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockTrouble(error)) throw error;
      log('A migration waited too long for a lock and tries again.');
      await delay(attempt * 200 * (0.5 + Math.random()));
    }
  }
}

/**
 * Asks again and again instead of waiting in the database: a statement that waits for an advisory lock holds a
 * snapshot, for which `CREATE INDEX CONCURRENTLY` of the migrator before us would wait in turn.
 */
async function takeTurn(runner: QueryRunner, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (let waited = false; ; waited = true) {
    const rows: { mine: boolean }[] = await runner.query(
      `SELECT pg_try_advisory_lock(${MIGRATORS_LOCK}) AS mine`,
    );
    if (rows[0]?.mine) return;
    if (Date.now() > deadline) {
      throw new MigrationRefused(
        'Another process has been migrating this database for ten minutes. Look for "agentflow migrate" in ' +
          'pg_stat_activity.',
      );
    }
    if (!waited) log('Another process is migrating this database; waiting for it.');
    await delay(LOCK_POLL_MS);
  }
}

/** A lock that was not to be had in time, or a deadlock with the traffic. */
function isLockTrouble(error: unknown): boolean {
  const { code } = ((error as { driverError?: unknown }).driverError ?? error) as { code?: string };
  return code === '55P03' || code === '40P01';
}

/** As TypeORM would make it, but with names of our own, and readable: whoever may log in may ask how far it is. */
async function createMigrationsTable(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
      id integer GENERATED BY DEFAULT AS IDENTITY,
      timestamp bigint NOT NULL,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_schema_migrations PRIMARY KEY (id),
      CONSTRAINT uq_schema_migrations_name UNIQUE (name)
    );
    GRANT SELECT ON ${MIGRATIONS_TABLE} TO PUBLIC`);
}
