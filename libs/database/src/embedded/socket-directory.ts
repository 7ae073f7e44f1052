import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OsUser } from './os-user.js';

/** The kernel's limit is 104 bytes on macOS and 108 on Linux, its closing NUL included. */
const LONGEST_PATH = 103;
const OVERFLOW = /^\/tmp\/agentflow-\w{6}$/;

/** The file that a server on that port makes in its socket directory. */
export function socketPath(directory: string, port: number): string {
  return join(directory, `.s.PGSQL.${port}`);
}

export function isTooLong(directory: string, port: number): boolean {
  return Buffer.byteLength(socketPath(directory, port)) > LONGEST_PATH;
}

/**
 * A directory for the socket that only the Postgres user (and root) can enter: the home's own, where another
 * container that shares the volume can see that a server answers, or a short one in /tmp when that is too long
 * for a socket. Postgres touches its socket every hour, so that no cleaner of /tmp takes it away.
 */
export function openSocketDirectory(home: string, port: number, user: OsUser | undefined): string {
  const own = join(home, 'run');
  if (!isTooLong(own, port)) return own;
  const short = mkdtempSync('/tmp/agentflow-');
  if (user) chownSync(short, user.uid, user.gid);
  return short;
}

/** Removes a directory that `openSocketDirectory` made in /tmp, and no other. */
export function discardSocketDirectory(directory: string): void {
  if (OVERFLOW.test(directory)) rmSync(directory, { recursive: true, force: true });
}
