import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive } from '../../libs/database/src/embedded/process-identity.js';

/** The process of the embedded Postgres that serves a data directory. */
export function postmasterOf(dataDir: string): number {
  const { home } = JSON.parse(readFileSync(join(dataDir, 'cluster.json'), 'utf8')) as { home: string };
  return Number(readFileSync(join(resolve(dataDir, home), 'data/postmaster.pid'), 'utf8').split('\n')[0]);
}

export function isServing(postmaster: number): boolean {
  return isAlive({ pid: postmaster, started: null });
}
