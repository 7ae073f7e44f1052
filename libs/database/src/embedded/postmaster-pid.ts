import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running server says about itself in `postmaster.pid`. */
export interface PostmasterPid {
  readonly pid: number;
  readonly socketDirectory: string;
  /** `starting`, `ready`, `stopping` or `standby`; empty before the server has got that far. */
  readonly status: string;
}

/** The file of a cluster, or null where there is none: a server that ended properly has removed it. */
export function readPostmasterPid(cluster: string): PostmasterPid | null {
  try {
    return parsePostmasterPid(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Lines: pid, directory, start time, port, socket directory, address, shared memory, status
 * (src/include/utils/pidfile.h). A file cut short by a crash has fewer; pid 0 stands for none.
 */
export function parsePostmasterPid(text: string): PostmasterPid {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = /^\d+$/.test(lines[0] ?? '') ? Number(lines[0]) : 0;
  return { pid, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' };
}
