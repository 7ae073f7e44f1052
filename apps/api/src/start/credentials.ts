import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a client on this machine needs. */
export interface Credentials {
  url?: string;
  key?: string;
}

/**
 * Keeps `credentials.json` in the data directory, readable by its owner only: where this installation listens, and
 * its first key. What is not new stays as it is.
 */
export function keepCredentials(dataDir: string, news: Credentials): void {
  const path = join(dataDir, 'credentials.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Credentials) : {};
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify({ ...known, ...news }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
