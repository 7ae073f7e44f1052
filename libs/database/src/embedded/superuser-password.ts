import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';
import { writePrivately } from './private-file.js';

/**
 * The superuser's password: made before the cluster, kept in the data directory, never changed. `expected` says
 * that a cluster exists, which no new password would open.
 */
export function superuserPassword(directory: string, expected: boolean): string {
  const file = join(directory, 'postgres-password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (expected) {
    throw new EmbeddedPostgresError(
      `${file} is missing, and the cluster beside it opens only with that password.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  writePrivately(file, password + '\n');
  return password;
}
