import {
  BACKGROUND_ENDS_WITHIN_MS,
  startBackground,
  startRunNews,
  type Configuration,
  type ProcessLife,
  type StopSignal,
} from '@agentflow/core';
import { APP_ROLE, UnsafeRole, connect, type Connected } from '@agentflow/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { KeyRing } from '../access/key-ring.js';
import { createApi } from '../create-api.js';
import { keepCredentials, type Credentials } from './credentials.js';
import { FirstOrganization } from './found-first-organization.js';
import { prepareDatabase } from './prepare-database.js';
import { drain, followConnections } from './shutdown.js';

const RECORD_USE_EVERY_MS = 10_000;

/** Runs the api: database first, then the doors. */
export async function serve(configuration: Configuration, log: Logger, life: ProcessLife): Promise<void> {
  const { appUrl, workerUrl } = await prepareDatabase(configuration, log, life, say);
  life.ending.throwIfAborted();
  const connected = await openPool(configuration, appUrl, log);
  life.onEnd('the connections', connected.close);
  if (configuration.worker === 'inline') await workInline(workerUrl, configuration, log, life);
  const news = startRunNews(connected.database, configuration.listenUrl ?? appUrl, log);
  life.onEnd('the news of runs', news.end);
  const app = await createApi({ ...connected, news, configuration, log });
  life.onEnd('the record of used keys', recordKeyUse(app, log));
  const key = await app.get(FirstOrganization).found(configuration.bootstrapKey);
  // Kept before anything else can fail: it is shown once, and there is no other.
  if (key !== undefined) keep(configuration, log, { key });
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
  const url = (await app.getUrl()).replace('[::1]', 'localhost');
  keep(configuration, log, { url });
  announce(url, configuration.bootstrapKey === undefined ? key : undefined);
}

async function workInline(
  url: string,
  configuration: Configuration,
  log: Logger,
  life: ProcessLife,
): Promise<void> {
  try {
    const background = await startBackground(url, configuration, log);
    life.onEnd('the background work', background.stop, BACKGROUND_ENDS_WITHIN_MS);
  } catch (error) {
    if (!(error instanceof UnsafeRole)) throw error;
    const way = 'Or set AGENTFLOW_WORKER=off, and run the worker in a process with a login of its own.';
    throw new UnsafeRole(`${error.message}\n${way}`, { cause: error });
  }
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

/** Where it cannot be kept, a key is told right away: what comes next may fail. */
function keep({ dataDir, bootstrapKey }: Configuration, log: Logger, news: Credentials): void {
  try {
    keepCredentials(dataDir, news);
  } catch (error) {
    log.warn({ err: error }, 'credentials.json could not be written');
    if (news.key !== undefined && bootstrapKey === undefined) say(`The first API key: ${news.key}`);
  }
}

function announce(url: string, key: string | undefined): void {
  say('');
  say(`AgentFlow is running at ${url}`);
  say(`  API page  ${url}/docs`);
  if (key !== undefined) say(`  API key   ${key}   (shown this once, and kept in credentials.json)`);
  say('');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
