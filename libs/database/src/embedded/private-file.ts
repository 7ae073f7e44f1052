import { randomBytes } from 'node:crypto';
import { closeSync, fchownSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { OsUser } from './os-user.js';

/**
 * Replaces a file as a whole, readable by us alone, or by `owner` alone where one is given: at every moment,
 * even after a power cut, the path holds the old text or the new one. Safe for root in a directory of another
 * user, since neither the exclusive creation nor the rename follows a link that was planted there.
 */
export function writePrivately(path: string, text: string, owner?: OsUser): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  try {
    writeSync(file, text);
    if (owner) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
