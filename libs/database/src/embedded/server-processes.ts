import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, isAlive } from './process-identity.js';

const PATIENCE_MS = 5_000;

/**
 * Whether these are the words of a process of the cluster with that name: the server has been started with it,
 * its children show it in their titles. A path would not do, because a folder may be renamed under a server.
 */
export function isServerCommand(command: string, name: string): boolean {
  return (
    command.startsWith(`postgres: ${name}: `) ||
    (/postgres(\.exe)?"? -D /.test(command) && `${command} `.includes(`cluster_name=${name} `))
  );
}

/**
 * Ends at once what is left of a cluster's server. A child that computes does not notice for minutes that the
 * server above it was killed, and no new server can start while it holds the shared memory.
 */
export async function endServerProcesses(name: string): Promise<void> {
  // Windows' Postgres has no such titles, and its children end with their server.
  if (process.platform === 'win32') return;
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    let left = serverProcesses(name);
    for (const pid of left) send(pid, signal);
    for (const deadline = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < deadline;) {
      await delay(10);
      left = left.filter((pid) => isAlive({ pid, started: null }) && isServerProcess(pid, name));
    }
  }
}

export function isServerProcess(pid: number, name: string): boolean {
  return isServerCommand(commandLine(pid) ?? '', name);
}

function serverProcesses(name: string): number[] {
  const all =
    process.platform === 'linux'
      ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
      : spawnSync('ps', ['-axo', 'pid='], { encoding: 'utf8' }).stdout.trim().split(/\s+/);
  return all.map(Number).filter((pid) => isServerProcess(pid, name));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile, or belongs to somebody who only imitates the title.
  }
}
