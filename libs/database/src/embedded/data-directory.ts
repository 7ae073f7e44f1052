import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';
import { runAs, type OsUser } from './os-user.js';
import { writePrivately } from './private-file.js';

/** Holds the `ClusterRecord`; without it a data directory that was moved would begin an empty cluster. */
const RECORD = 'cluster.json';

/** The cluster's home where the Postgres user can reach it there. */
const INSIDE = 'postgres';

/**
 * Where root keeps what its Postgres user cannot reach in the data directory. Not /tmp, which a reboot empties.
 */
export const DURABLE_PLACES: readonly string[] = [
  '/var/lib/agentflow',
  '/var/db/agentflow',
  '/opt/agentflow',
];

/** A directory of ours: one that we may close to others, unlike an existing folder with other things in it. */
export interface DataDirectory {
  readonly path: string;
  readonly ours: boolean;
}

/** Creates the data directory where it is missing, closed to everybody else. */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  const created = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  const emptyOrKnown = () => existsSync(join(path, RECORD)) || readdirSync(path).length === 0;
  return { path, ours: created || (isOurs(path) && emptyOrKnown()) };
}

/** What the first start chose; `home` is absolute here, and relative in the file when it is inside. */
export interface ClusterRecord {
  readonly home: string;
  /** The cluster's name among the system's processes. */
  readonly name: string;
}

/**
 * What an earlier start recorded, or undefined on the first. A home inside the data directory moves along with
 * it; a home outside that is gone is refused, since beginning an empty cluster instead would look like a loss of
 * everything.
 */
export function readRecord(directory: DataDirectory): ClusterRecord | undefined {
  const file = join(directory.path, RECORD);
  if (!existsSync(file)) return undefined;
  const { home, name } = JSON.parse(readFileSync(file, 'utf8')) as ClusterRecord;
  const path = resolve(directory.path, home);
  if (home !== path || existsSync(path)) return { home: path, name };
  throw new EmbeddedPostgresError(
    `${file} says that the cluster is in ${path}, which does not exist. ` +
      `Restore it there, or delete ${file} to begin with an empty cluster.`,
  );
}

/**
 * Makes and records a home for a new cluster: inside the data directory when the Postgres user can reach it
 * there, else below the first of `places` that can be used.
 */
export async function chooseHome(
  directory: DataDirectory,
  user: OsUser | undefined,
  places: readonly string[],
): Promise<ClusterRecord> {
  const name = `agentflow-${randomBytes(6).toString('hex')}`;
  const outside = user ? places.map((place) => join(place, 'clusters', name)) : [];
  for (const home of [join(directory.path, INSIDE), ...outside]) {
    if (!(await prepareHome(directory, home, user))) continue;
    const recorded = isInside(directory, home) ? INSIDE : home;
    writePrivately(join(directory.path, RECORD), JSON.stringify({ home: recorded, name }) + '\n');
    return { home, name };
  }
  throw new EmbeddedPostgresError(
    `Postgres would run as uid ${user?.uid ?? process.getuid?.()}, which can write neither in ` +
      `${directory.path} nor in ${places.join(', ')}. Start as an ordinary user, or set AGENTFLOW_DATA_DIR to ` +
      `a directory that other users may enter.`,
  );
}

/**
 * Gives a home its folders, owners and modes; false when the Postgres user cannot work in it, which is tried,
 * not computed. Under root the home itself stays root's, who writes the settings there, and the Postgres user's
 * group may only pass through it.
 */
export async function prepareHome(
  directory: DataDirectory,
  home: string,
  user: OsUser | undefined,
): Promise<boolean> {
  const inside = isInside(directory, home);
  const folders = [join(home, 'run'), join(home, 'log')];
  try {
    for (const folder of [home, ...folders]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (directory.ours) admit(directory.path, inside ? user : undefined);
    if (!user) return true;
    if (isOurs(home)) admit(home, user);
    if (!inside) for (const above of [dirname(home), dirname(dirname(home))]) chmodSync(above, 0o755);
    for (const folder of folders) {
      chownSync(folder, user.uid, user.gid);
      await runAs(user, '/bin/sh', ['-c', 'cd "$1" && : > .tried && rm .tried', 'sh', folder]);
    }
    return true;
  } catch {
    for (const folder of [...folders, home]) removeIfEmpty(folder);
    return false;
  }
}

export function isInside(directory: DataDirectory, home: string): boolean {
  return home === join(directory.path, INSIDE);
}

/** Closes a folder to everybody but us, and to all but passing through for that user's group. */
function admit(folder: string, user: OsUser | undefined): void {
  if (user) chownSync(folder, -1, user.gid);
  chmodSync(folder, user ? 0o710 : 0o700);
}

function isOurs(path: string): boolean {
  return statSync(path).uid === process.getuid?.();
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it, or it was never made.
  }
}
