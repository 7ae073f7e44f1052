import { startRunNews, type Configuration, type ProcessLife, type StopSignal } from '@agentflow/core';
import { APP_ROLE, connect, type Connected } from '@agentflow/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { KeyRing } from '../access/key-ring.js';
import { createApi } from '../create-api.js';
import { keepCredentials } from './credentials.js';
import { FirstOrganization } from './found-first-organization.js';
import type { Opened } from './primary.js';
import { drain, followConnections } from './shutdown.js';

const RECORD_USE_EVERY_MS = 10_000;

/** Opens the api's doors in this process, on a database that is prepared. */
export async function openDoors(
  configuration: Configuration,
  appUrl: string,
  log: Logger,
  life: ProcessLife,
): Promise<Opened> {
  const connected = await openPool(configuration, appUrl, log);
  life.onEnd('the connections', connected.close);
  const news = startRunNews(connected.database, configuration.listenUrl ?? appUrl, log);
  life.onEnd('the news of runs', news.end);
  const app = await createApi({ ...connected, news, configuration, log });
  life.onEnd('the record of used keys', recordKeyUse(app, log));
  const key = await app.get(FirstOrganization).found(configuration.bootstrapKey);
  // Kept before anything else can fail: it is shown once, and there is no other.
  if (key !== undefined) keepCredentials(configuration, log, { key });
  life.ending.throwIfAborted();
  const endSilentConnections = followConnections(app.getHttpServer() as Server);
  await app.listen(configuration.port, configuration.host);
  const { drainDelayMs, drainTimeoutMs: timeoutMs } = configuration;
  const end = (signal: StopSignal): Promise<void> => {
    // A balancer asks by SIGTERM and needs a moment; a person at the terminal does not.
    const delayMs = signal === 'SIGTERM' ? drainDelayMs : 0;
    return drain({ app, log, endSilentConnections, delayMs, timeoutMs });
  };
  life.onEnd('the doors', end, drainDelayMs + timeoutMs + 1_000);
  return { url: (await app.getUrl()).replace('[::1]', 'localhost'), key };
}

function openPool(configuration: Configuration, url: string, log: Logger): Promise<Connected> {
  return connect({
    url,
    role: APP_ROLE,
    size: configuration.poolSize,
    acquireTimeoutMs: configuration.poolTimeoutMs,
    applicationName: 'agentflow api',
    onConnectionLost: (error) => log.warn({ err: error }, 'an idle connection to Postgres broke'),
    limits: {
      statementTimeoutMs: configuration.statementTimeoutMs,
      lockTimeoutMs: configuration.lockTimeoutMs,
      idleTimeoutMs: 10_000,
    },
  });
}

/** Writes down now and then which keys were used; a failure costs a time stamp and nothing else. */
function recordKeyUse(app: NestFastifyApplication, log: Logger): () => Promise<void> {
  const record = (): Promise<void> =>
    app
      .get(KeyRing)
      .recordUse()
      .catch((error: unknown) => log.warn({ err: error }, 'the use of keys was not recorded'));
  const timer = setInterval(() => void record(), RECORD_USE_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return record();
  };
}
