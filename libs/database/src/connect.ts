import { DataSource } from 'typeorm';
import { createDataSource, type PoolOptions } from './data-source.js';
import { Database, type TransactionLimits } from './database.js';
import { assumeRole, type AssumableRole } from './roles-assume.js';

export interface ConnectOptions extends PoolOptions {
  /** Whose rights every transaction has, whatever the login could do. */
  role: AssumableRole;
  limits: TransactionLimits;
}

export interface Connected {
  dataSource: DataSource;
  database: Database;
  close(): Promise<void>;
}

/**
 * Opens the pool, after proof that row security applies to what it will do; `UnsafeRole` when it would not. The
 * tables have to be there: migrate first.
 */
export async function connect({ role, limits, ...pool }: ConnectOptions): Promise<Connected> {
  const assumed = await assumeRole(pool.url, role);
  let isClosing = false;
  const onConnectionLost = (error: Error): void => {
    // Postgres may be told to stop while it has not read yet that a connection is being closed.
    if (!isClosing) pool.onConnectionLost?.(error);
  };
  const dataSource = await createDataSource({ ...pool, onConnectionLost }).initialize();
  return {
    dataSource,
    database: new Database(dataSource, assumed, limits),
    close: () => {
      isClosing = true;
      return dataSource.destroy();
    },
  };
}
