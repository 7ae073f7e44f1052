import type { Configuration } from '@agentflow/core';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** What a client on this machine needs. */
export interface Credentials {
  url?: string;
  key?: string;
}

/**
 * Keeps `credentials.json` in the data directory, readable by its owner only: where this installation listens, and
 * its first key. What is not new stays as it is. Where it cannot be kept, a key is told right away: what comes next may fail.
 */
export function keepCredentials(
  { dataDir, bootstrapKey }: Configuration,
  log: Logger,
  news: Credentials,
): void {
  try {
    write(dataDir, news);
  } catch (error) {
    log.warn({ err: error }, 'credentials.json could not be written');
    if (news.key !== undefined && bootstrapKey === undefined) {
      process.stderr.write(`The first API key: ${news.key}\n`);
    }
  }
}

function write(dataDir: string, news: Credentials): void {
  const path = join(dataDir, 'credentials.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Credentials) : {};
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify({ ...known, ...news }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
