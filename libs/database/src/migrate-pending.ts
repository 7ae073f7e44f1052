import pg, { type ClientBase } from 'pg';
import { DataSource } from 'typeorm';
import { allMigrations } from './migrate-files.js';

/** The table that remembers what has been applied. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** The database cannot be brought to the schema that this version needs; the message says why and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/**
 * The names of the migrations that this database still lacks, oldest first, by one small query; throws
 * `MigrationRefused` when the database was migrated by a newer version of the product than this one.
 */
export async function pendingMigrations(database: string | DataSource): Promise<string[]> {
  if (database instanceof DataSource) {
    return pending((text) => database.query<AppliedMigration[]>(text));
  }
  const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await pendingOver(client);
  } finally {
    await client.end();
  }
}

/** The same over a connection that is open. */
export function pendingOver(client: ClientBase): Promise<string[]> {
  return pending(async (text) => (await client.query<AppliedMigration>(text)).rows);
}

interface AppliedMigration {
  name: string;
}

async function pending(query: (text: string) => Promise<AppliedMigration[]>): Promise<string[]> {
  const known = (await allMigrations()).map(({ name }) => name);
  const applied = new Set((await appliedMigrations(query)).map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new MigrationRefused(
      `The database was migrated by a newer version of AgentFlow (${unknown.join(', ')} is not known here). ` +
        `Start that version, or restore a backup made before it.`,
    );
  }
  return known.filter((name) => !applied.has(name));
}

/** A database that was never migrated has no such table. */
async function appliedMigrations(
  query: (text: string) => Promise<AppliedMigration[]>,
): Promise<AppliedMigration[]> {
  try {
    return await query(`SELECT name FROM public.${MIGRATIONS_TABLE}`);
  } catch (error) {
    const { code } = ((error as { driverError?: unknown }).driverError ?? error) as { code?: string };
    if (code === '42P01') return [];
    throw error;
  }
}
