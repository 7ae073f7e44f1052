import { DataSource } from 'typeorm';
import * as entities from './entities/index.js';
import { columnTypes } from './types.js';
import { UnjoinedValuesClient } from './unjoined-values.js';

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  size: number;
  /** How long a request waits for a free connection, in milliseconds. */
  acquireTimeoutMs: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Hears of connections that broke while idle: they are replaced, and nothing else happens. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * The pool and the entities over it. Nothing here needs a session of its own, so a pooler in transaction mode may
 * stand in between; `pipeline` lets a transaction's first statements share a round trip.
 */
export function createDataSource(options: PoolOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.size,
    connectTimeoutMS: options.acquireTimeoutMs,
    poolErrorHandler: options.onConnectionLost ?? (() => undefined),
    entities: Object.values(entities),
    synchronize: false,
    installExtensions: false,
    extra: {
      Client: UnjoinedValuesClient,
      types: columnTypes,
      pipeline: true,
      keepAlive: true,
      idleTimeoutMillis: 30_000,
      query_timeout: 8_000,
    },
  });
}
