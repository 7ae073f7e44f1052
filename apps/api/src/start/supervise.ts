import type { EmbeddedPostgres } from '@agentflow/database';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

const RETRY_MS = 1_000;

/**
 * Starts the embedded Postgres again whenever it ends without having been told to. Requests are answered 503 in the
 * meantime; what was acknowledged is there again afterwards. Stops with the function that it returns, which waits for
 * a start under way.
 */
export function superviseDatabase(postgres: EmbeddedPostgres, log: Logger): () => Promise<void> {
  let isWatching = true;
  let restarted = Promise.resolve();
  const watch = async (): Promise<void> => {
    while (isWatching) {
      const exit = await postgres.exited;
      if (!isWatching) return;
      log.error({ exit }, 'Postgres ended; starting it again');
      await (restarted = restart());
    }
  };
  const restart = async (): Promise<void> => {
    try {
      await postgres.start();
    } catch (error) {
      log.error({ err: error }, 'Postgres did not start');
      await delay(RETRY_MS);
    }
  };
  watch().catch((error: unknown) => log.fatal({ err: error }, 'the supervision of Postgres failed'));
  return () => {
    isWatching = false;
    return restarted;
  };
}
