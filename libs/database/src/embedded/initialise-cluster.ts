import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';
import { runAs, type OsUser } from './os-user.js';
import { writePrivately } from './private-file.js';

const UNFINISHED = 'initdb-';

const UNNAMED =
  `The user of this process (uid ${process.getuid?.()}) has no name on this system, and initdb needs one. Run as ` +
  `a user that /etc/passwd lists, or set DATABASE_URL to a Postgres of your own.`;

/** Refuses a cluster of another major version, before anything of it is touched. */
export function refuseOtherVersion(cluster: string, major: number): void {
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresError(
    `The cluster in ${cluster} was made by Postgres ${found}, and this AgentFlow brings Postgres ${major}. ` +
      `Nothing was touched. Start the AgentFlow that made it and export with pg_dump, or set AGENTFLOW_DATA_DIR ` +
      `to a new directory.`,
  );
}

/**
 * Makes `<home>/data`, the cluster with its superuser `postgres`, unless it is there. initdb works in a folder
 * beside it that is renamed when it is complete, so an initdb that was killed is simply done again.
 */
export async function initialiseCluster(options: {
  home: string;
  binaries: Binaries;
  user: OsUser | undefined;
  password: string;
  durable: boolean;
}): Promise<void> {
  const { home, binaries, user, password, durable } = options;
  await removeUnfinished(home);
  if (existsSync(join(home, 'data', 'PG_VERSION'))) return;

  const work = mkdtempSync(join(home, UNFINISHED));
  const passwordFile = join(home, `${UNFINISHED}password`);
  try {
    writePrivately(passwordFile, password + '\n', user);
    if (user) chownSync(work, user.uid, user.gid);
    await runAs(user, binaries.initdb, [
      ...initdbOptions(durable),
      `--pgdata=${work}`,
      `--pwfile=${passwordFile}`,
    ]);
    renameSync(work, join(home, 'data'));
    syncDirectory(home);
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    const advice = user || hasName() ? '' : `${UNNAMED} `;
    throw new EmbeddedPostgresError(`${advice}Postgres could not be initialised in ${home}: ${said}`, {
      cause,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/** Containers are often given a bare uid to run as. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** An initdb whose parent was killed may still be writing there, hence the retries. */
async function removeUnfinished(home: string): Promise<void> {
  const names = readdirSync(home).filter((name) => name.startsWith(UNFINISHED));
  const options = { recursive: true, force: true, maxRetries: 10 };
  await Promise.all(names.map((name) => rm(join(home, name), options)));
}

/**
 * UTF8 with the locale that is the same on every system: the provider `builtin` sorts by code point, so no
 * upgrade of an operating system can change the order of an index.
 */
function initdbOptions(durable: boolean): string[] {
  return [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** A rename is only durable when its directory is; Windows has no such call and needs none. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
