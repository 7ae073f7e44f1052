import { execFile, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.js';

/** The user that Postgres runs as; `undefined` in its place means the user that we are. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who runs Postgres. Postgres refuses to run as root, so root hands it to the owner of the existing cluster,
 * else to `postgres`, else to `nobody`; users are never created. Anybody else runs it as themselves.
 * `cluster` is the directory of an existing cluster.
 */
export function postgresUser(cluster?: string): OsUser | undefined {
  const owner = cluster === undefined ? undefined : statSync(cluster);
  if (isRoot()) {
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
    const user = systemUser('postgres') ?? systemUser('nobody');
    if (user) return user;
    throw new EmbeddedPostgresError(
      'Postgres refuses to run as root, and this system has neither a user "postgres" nor a user "nobody". ' +
        'Start as an ordinary user, create the user "postgres", or set DATABASE_URL to a Postgres of your own.',
    );
  }
  if (owner && process.getuid && owner.uid !== process.getuid()) {
    throw new EmbeddedPostgresError(
      `The cluster ${cluster} belongs to another user (uid ${owner.uid}). Start as that user or as root.`,
    );
  }
  return undefined;
}

/**
 * Runs a program as that user and gives what it printed. Started in a directory that everybody may enter,
 * because Postgres' programs stop when they cannot name the directory they are in.
 */
export async function runAs(
  user: OsUser | undefined,
  file: string,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...args], processOptions(user));
  return stdout;
}

/**
 * Gives a cluster that root owns, such as one restored by root from a backup, to the user that runs Postgres,
 * with the only mode that Postgres accepts.
 */
export async function handOver(home: string, user: OsUser): Promise<void> {
  const parts = ['data', 'log'].map((name) => join(home, name));
  if (!isRoot() || statSync(join(home, 'data')).uid !== 0) return;
  await runAs(undefined, 'chown', ['-R', `${user.uid}:${user.gid}`, ...parts]);
  await runAs(undefined, 'chmod', ['-R', 'u=rwX,go=', ...parts]);
}

/** How every program of Postgres is started: as that user, with an environment that cannot steer it. */
export function processOptions(user: OsUser | undefined): {
  uid?: number;
  gid?: number;
  cwd: string;
  env: NodeJS.ProcessEnv;
  windowsHide: boolean;
} {
  return {
    ...user,
    cwd: process.platform === 'win32' ? process.cwd() : '/',
    env: environment(),
    windowsHide: true,
  };
}

/**
 * Only what a loader needs. PGDATA, PGPORT or PGOPTIONS of the caller would change what starts, a locale would
 * change what is logged, and our own secrets have no place in the environment of another user's process.
 */
function environment(): NodeJS.ProcessEnv {
  const needed = /^(PATH|LD_LIBRARY_PATH|NIX_LD\w*|DYLD_\w+|SYSTEMROOT|TEMP|TMP)$/i;
  const kept = Object.entries(process.env).filter(([name]) => needed.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

function systemUser(name: string): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : Number.NaN;
  });
  return uid !== undefined && gid !== undefined && uid > 0 && gid >= 0 ? { uid, gid } : undefined;
}
