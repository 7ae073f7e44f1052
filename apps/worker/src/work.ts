import { createLogger, onStopSignal, startBackground, type Configuration } from '@agentflow/core';
import { pendingMigrations } from '@agentflow/database';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { answerHealthChecks } from './health.js';

const POLL_MS = 2_000;

/** Works until it is told to stop. It never migrates: it waits until an api process has. */
export async function work(configuration: Configuration): Promise<void> {
  const { databaseUrl } = configuration;
  if (databaseUrl === undefined) {
    throw new TypeError(
      'The worker needs DATABASE_URL. With the embedded Postgres, the api works in its own process.',
    );
  }
  const log = createLogger(configuration.logLevel);
  await untilMigrated(databaseUrl, log);
  const background = await startBackground(databaseUrl, configuration, log);
  const closeHealth = await answerHealthChecks(configuration, background);
  log.info('working');
  onStopSignal(log, async () => {
    await closeHealth();
    await background.stop();
  });
}

async function untilMigrated(url: string, log: Logger): Promise<void> {
  for (let isToldOf = false; ; isToldOf = true) {
    const pending = await pendingMigrations(url).catch((error: unknown) => {
      log.warn({ err: error }, 'Postgres does not answer yet');
      return undefined;
    });
    if (pending?.length === 0) return;
    if (pending && !isToldOf) log.info({ pending: pending.length }, 'waiting for an api process to migrate');
    await delay(POLL_MS);
  }
}
