import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory, readRecord } from './data-directory.js';
import { claimDirectory, wasAbandoned } from './directory-claim.js';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { endServerProcesses } from './server-processes.js';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from './start-embedded-postgres.js';

const PREFIX = 'agentflow-throw-away-';

export interface ThrowAwayPostgres {
  readonly postgres: EmbeddedPostgres;
  /** Stops the server without ceremony and removes every file of the cluster. */
  discard(): Promise<void>;
}

/**
 * Starts a cluster in a new temporary directory, for tests and benchmarks: not durable and stopped by Ctrl-C
 * unless the options say otherwise. What earlier ones left behind because their process was killed is removed
 * first.
 */
export async function startThrowAwayPostgres(
  options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {},
): Promise<ThrowAwayPostgres> {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(PREFIX)) await sweep(join(tmpdir(), name)).catch(() => undefined);
  }
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  const postgres = await startEmbeddedPostgres({ durable: false, ownSession: false, ...options, dataDir });
  const discard = async () => {
    await postgres.crash();
    await postgres.stop();
    await remove(dataDir, postgres.home);
  };
  return { postgres, discard };
}

/** Removes a throw-away cluster of ours whose process is gone, and its server; any other is left alone. */
async function sweep(dataDir: string): Promise<void> {
  if (statSync(dataDir).uid !== process.getuid?.() || !wasAbandoned(dataDir)) return;
  await claimDirectory(dataDir);
  const record = readRecord(openDataDirectory(dataDir));
  if (record) await endServerProcesses(record.name);
  await remove(dataDir, record?.home ?? dataDir);
}

async function remove(dataDir: string, home: string): Promise<void> {
  const options = { recursive: true, force: true };
  await rm(home, options);
  await rm(dataDir, options);
}
