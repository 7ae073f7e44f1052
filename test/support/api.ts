import {
  createLogger,
  readConfiguration,
  startRunNews,
  type Configuration,
  type RunNews,
} from '@agentflow/core';
import { APP_ROLE, connect, type Connected } from '@agentflow/database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream } from 'pino';
import { createApi } from '../../apps/api/src/create-api.js';
import { AnsweredRequests } from '../../apps/api/src/http/answered-requests.js';
import { EventStreams } from '../../apps/api/src/run-log/event-streams.js';
import { FirstOrganization } from '../../apps/api/src/start/found-first-organization.js';
import { aClient, type Client } from './client.js';
import { aDatabase, type TestDatabase } from './database.js';

/** An api of a test file's own, over real HTTP and a database of its own. */
export interface TestApi {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly database: TestDatabase;
  readonly connected: Connected;
  readonly news: RunNews;
  /** The log so far, a line each. */
  readonly log: readonly string[];
  /** The first organization's admin. */
  readonly admin: Client;
  readonly adminKey: string;
  /** The operator, who founds organizations. */
  readonly root: Client;
  /** A client with some key, or with none. */
  as(key: string | undefined): Client;
  close(): Promise<void>;
}

export const ROOT_KEY = 'root_0123456789abcdefghijklmnopqrstuvwxyz';

/** Settings that differ from the defaults, by the name of their variable. */
export type Settings = Record<string, string>;

/** Starts an api on a fresh database, or a further one on a database that is there. */
export async function anApi(settings: Settings = {}, on?: TestDatabase): Promise<TestApi> {
  const database = on ?? (await aDatabase());
  const configuration = readConfiguration({ AGENTFLOW_ROOT_KEY: ROOT_KEY, PORT: '0', ...settings });
  const lines: string[] = [];
  const destination: DestinationStream = { write: (line) => void lines.push(line.trimEnd()) };
  const connected = await openPool(database.appUrl, configuration);
  const log = createLogger('info', destination);
  const news = startRunNews(connected.database, configuration.listenUrl ?? database.appUrl, log);
  const app = await createApi({ ...connected, news, configuration, log });
  const adminKey = (await app.get(FirstOrganization).found(undefined)) ?? '';
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    url,
    database,
    connected,
    news,
    get log() {
      app.get(AnsweredRequests).tell();
      return lines;
    },
    adminKey,
    admin: aClient(url, adminKey),
    root: aClient(url, ROOT_KEY),
    as: (key) => aClient(url, key),
    close: async () => {
      app.get(EventStreams).end();
      await app.close();
      await news.end();
      await connected.close();
      if (!on) await database.drop();
    },
  };
}

function openPool(url: string, configuration: Configuration): Promise<Connected> {
  return connect({
    url,
    role: APP_ROLE,
    size: configuration.poolSize,
    acquireTimeoutMs: configuration.poolTimeoutMs,
    applicationName: 'agentflow test',
    limits: {
      statementTimeoutMs: configuration.statementTimeoutMs,
      lockTimeoutMs: configuration.lockTimeoutMs,
      idleTimeoutMs: 10_000,
    },
  });
}
