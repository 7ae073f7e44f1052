import {
  BACKGROUND_ENDS_WITHIN_MS,
  ConfigurationError,
  startBackground,
  type Configuration,
  type ProcessLife,
} from '@agentflow/core';
import { databaseFault, pendingMigrations } from '@agentflow/database';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openHealthDoor } from './health.js';

const POLL_MS = 2_000;

/** Works until it is told to stop. It never migrates: it waits until an api process has, alive but not ready. */
export async function work(configuration: Configuration, log: Logger, life: ProcessLife): Promise<void> {
  const { databaseUrl } = configuration;
  if (databaseUrl === undefined) {
    throw new ConfigurationError([
      'DATABASE_URL is missing; with the embedded Postgres, the api does the work in its own process',
    ]);
  }
  const door = await openHealthDoor(configuration);
  life.onEnd('the health checks', door.close);
  log.info({ port: door.port }, 'starting');
  await untilMigrated(databaseUrl, log, life.ending);
  const background = await startBackground(databaseUrl, configuration, log);
  life.onEnd('the background work', background.stop, BACKGROUND_ENDS_WITHIN_MS);
  door.readyWhen(background.isHealthy);
  log.info('working');
}

/** Waits while there is no Postgres, or not yet the schema; any other failure will not go away by itself. */
async function untilMigrated(url: string, log: Logger, signal: AbortSignal): Promise<void> {
  for (let told = ''; ;) {
    const obstacle = await whatKeepsFrom(url);
    if (obstacle === undefined) return;
    if (obstacle !== told) log.warn((told = obstacle));
    await delay(POLL_MS, undefined, { signal });
  }
}

async function whatKeepsFrom(url: string): Promise<string | undefined> {
  try {
    const pending = await pendingMigrations(url);
    return pending.length === 0 ? undefined : 'waiting for an api process to migrate';
  } catch (error) {
    if (databaseFault(error) !== 'unavailable') throw error;
    return 'waiting for Postgres, which does not answer';
  }
}
