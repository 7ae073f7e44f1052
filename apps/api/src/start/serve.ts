import { onStopSignal, startBackground, type Configuration } from '@agentflow/core';
import { APP_ROLE, connect, type Connected } from '@agentflow/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { KeyRing } from '../access/key-ring.js';
import { createApi } from '../create-api.js';
import { keepCredentials } from './credentials.js';
import { FirstOrganization } from './found-first-organization.js';
import { prepareDatabase, type PreparedDatabase } from './prepare-database.js';
import { drain } from './shutdown.js';
import { superviseDatabase } from './supervise.js';

const RECORD_USE_EVERY_MS = 10_000;

/** Runs the api until it is told to stop: database first, then the doors; the other way round at the end. */
export async function serve(configuration: Configuration, log: Logger): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const prepared = await prepareDatabase(configuration, say);
  // What has been opened so far, to be closed the other way round, whenever it has to be.
  const opened: (() => Promise<void> | undefined)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  opened.push(() => prepared.postgres?.stop());
  if (prepared.postgres) opened.push(superviseDatabase(prepared.postgres, log));
  try {
    const connected = await openPool(configuration, prepared, log);
    opened.push(connected.close);
    if (configuration.worker === 'inline') {
      opened.push((await startBackground(prepared.workerUrl, configuration, log)).stop);
    }
    const app = await createApi({ ...connected, configuration, log });
    opened.push(recordKeyUse(app, log));
    const key = await app.get(FirstOrganization).found(configuration.bootstrapKey);
    // Kept before anything else can fail: it is shown once, and there is no other.
    if (key !== undefined) keepCredentials(configuration.dataDir, { key });
    await listen(app, configuration);
    const url = (await app.getUrl()).replace('[::1]', 'localhost');
    keepCredentials(configuration.dataDir, { url });
    announce(say, url, configuration.bootstrapKey === undefined ? key : undefined);
    onStopSignal(log, async (signal) => {
      // A balancer asks by SIGTERM and needs a moment; a person at the terminal does not.
      const delayMs = signal === 'SIGTERM' ? configuration.drainDelayMs : 0;
      await drain({ app, log, delayMs, timeoutMs: configuration.drainTimeoutMs });
      await closeAll();
    });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Why the api cannot listen, for the person who started it. */
class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

async function listen(app: NestFastifyApplication, { host, port }: Configuration): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new CannotListen(`Port ${port} of ${host} is taken. Set PORT to another one.`);
    if (code === 'EACCES')
      throw new CannotListen(`Port ${port} may not be used by this user. Set PORT to another one.`);
    if (code === 'EADDRNOTAVAIL')
      throw new CannotListen(`${host} is no address of this machine. Set HOST to one.`);
    throw error;
  }
}

function openPool(
  configuration: Configuration,
  { appUrl }: PreparedDatabase,
  log: Logger,
): Promise<Connected> {
  return connect({
    url: appUrl,
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

function announce(say: (line: string) => void, url: string, key: string | undefined): void {
  say('');
  say(`AgentFlow is running at ${url}`);
  say(`  API page  ${url}/docs`);
  if (key !== undefined) say(`  API key   ${key}   (shown this once, and kept in credentials.json)`);
  say('');
}
