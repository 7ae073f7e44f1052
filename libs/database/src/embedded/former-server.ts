import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { DataDirectoryInUse } from './errors.js';
import { runAs, type OsUser } from './os-user.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { commandLine, isAlive } from './process-identity.js';
import { endServerProcesses, isServerProcess } from './server-processes.js';
import { discardSocketDirectory, socketPath } from './socket-directory.js';

/** What was found of an earlier server: nothing, the remains of a crash, or a server that had to be stopped. */
export type FormerServer = 'none' | 'crashed' | 'stopped';

/**
 * Makes way for a new server on a cluster whose owner is gone. A server that its killed owner left running is
 * stopped properly; the children of one that was killed are ended; a `postmaster.pid` whose process is gone, or
 * is by now another program, is removed, because Postgres itself would refuse to start beside it. A server that
 * we cannot see but that answers runs in another container on the same volume: that is `DataDirectoryInUse`.
 */
export async function endFormerServer(cluster: {
  home: string;
  name: string;
  port: number;
  binaries: Binaries;
  user: OsUser | undefined;
}): Promise<FormerServer> {
  const data = join(cluster.home, 'data');
  const former = readPostmasterPid(data);
  const sockets = [join(cluster.home, 'run'), former?.socketDirectory]
    .filter((directory) => directory)
    .map((directory) => socketPath(directory as string, cluster.port));
  const running = former !== null && isPostmaster(former.pid, cluster.name, data);
  if (running) {
    await stop(data, former.pid, cluster.binaries, cluster.user);
  } else if (former) {
    for (const socket of sockets) if (await answers(socket)) throw new DataDirectoryInUse(data, former.pid);
  }
  await endServerProcesses(cluster.name);
  if (!former) return 'none';
  // Postgres would believe these for as long as anything has the pid in them, even a zombie that nobody reaps.
  for (const file of [join(data, 'postmaster.pid'), ...sockets.map((socket) => `${socket}.lock`)]) {
    rmSync(file, { force: true });
  }
  discardSocketDirectory(former.socketDirectory);
  return running ? 'stopped' : 'crashed';
}

function isPostmaster(pid: number, name: string, data: string): boolean {
  if (!isAlive({ pid, started: null })) return false;
  // There Postgres' programs signal through a pipe named after the pid, which no other program has.
  if (process.platform === 'win32') return true;
  if (commandLine(pid) === null) throw new DataDirectoryInUse(data, pid);
  return isServerProcess(pid, name);
}

/** Postgres' own tool, which waits until the server's file is gone; the process itself ends a moment later. */
async function stop(data: string, pid: number, binaries: Binaries, user: OsUser | undefined): Promise<void> {
  const stopIn = (mode: string) =>
    runAs(user, binaries.pgCtl, ['stop', '--silent', '-D', data, '-m', mode, '-t', '30']);
  await stopIn('fast').catch(() => stopIn('immediate'));
  for (const deadline = Date.now() + 1_000; isAlive({ pid, started: null }) && Date.now() < deadline;) {
    await delay(10);
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
