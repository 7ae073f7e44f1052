import pg from 'pg';
import type { PostgresConnection } from './connection.js';
import { EmbeddedPostgresError } from './errors.js';

/** Creates the connection's database where it is missing; proves on the way that the password is the cluster's. */
export async function ensureDatabase(connection: PostgresConnection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 10_000 });
  // A server that dies under the connection fails the query as well; unheard, the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const name = connection.database;
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (cause) {
    const wrongPassword = (cause as { code?: string }).code === '28P01';
    throw new EmbeddedPostgresError(
      wrongPassword
        ? 'The password in the data directory is not the one that its Postgres cluster was made with.'
        : `Postgres started, but cannot be used: ${String(cause)}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
