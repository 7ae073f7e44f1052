import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';
import { processOptions, runAs, type OsUser } from './os-user.js';
import { readPostmasterPid } from './postmaster-pid.js';

/** What the server prints before its own log begins. */
const START_LOG = 'start.log';

/** How the server ended; `asked` is false when nobody here told it to. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly asked: boolean;
}

/** `fast` breaks connections and writes a checkpoint; `immediate` leaves recovery to the next start. */
export type ShutdownMode = 'fast' | 'immediate';

export interface ServerProcess {
  readonly pid: number;
  readonly ended: boolean;
  readonly exited: Promise<ServerExit>;
  /** Ends the server and waits for it; `fast` becomes `immediate` after `deadlineMs`. */
  end(mode: ShutdownMode, deadlineMs: number): Promise<void>;
}

export interface Launch {
  readonly home: string;
  /** Shown by every process of the server, so that they can be told from those of other clusters. */
  readonly name: string;
  readonly binaries: Binaries;
  readonly user: OsUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** A session of its own, so that a terminal's Ctrl-C does not stop Postgres before its clients have drained. */
  readonly ownSession: boolean;
}

/**
 * Starts the server and resolves when it takes connections, which after a crash is when recovery is done, however
 * long that takes. Throws with the server's own last words when it ends before.
 */
export async function launchServer(launch: Launch): Promise<ServerProcess> {
  const { home, binaries, user, settings, ownSession } = launch;
  const cluster = join(home, 'data');
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = join(home, START_LOG);
  rmSync(log, { force: true });
  const output = openSync(log, 'wx', 0o600);
  const child = spawn(binaries.postgres, ['-D', cluster, ...options], {
    ...processOptions(user),
    detached: ownSession,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const server = follow(child, binaries);
  for (;;) {
    const file = readPostmasterPid(cluster);
    if (file?.pid === child.pid && file?.status === 'ready') break;
    if (server.ended) throw new EmbeddedPostgresError(`Postgres did not start: ${lastWords(home)}`);
    await delay(10);
  }
  // The server is no reason for this process to stay alive.
  child.unref();
  return server;
}

function follow(child: ChildProcess, binaries: Binaries): ServerProcess {
  const pid = child.pid ?? 0;
  let asked = false;
  let ended = false;
  const exited = new Promise<ServerExit>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      ended = true;
      resolve({ code, signal, asked });
    };
    child.once('exit', finish).once('error', () => finish(null, null));
  });
  const tell = async (mode: ShutdownMode) => {
    const signal = mode === 'fast' ? 'INT' : 'QUIT';
    if (process.platform === 'win32') await runAs(undefined, binaries.pgCtl, ['kill', signal, String(pid)]);
    else child.kill(`SIG${signal}`);
  };
  const end = async (mode: ShutdownMode, deadlineMs: number) => {
    asked = true;
    child.ref();
    await tell(mode);
    const timer = new AbortController();
    const late = delay(deadlineMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    if (mode === 'fast' && (await Promise.race([exited, late])) === 'late') await tell('immediate');
    await exited;
    timer.abort();
  };
  return {
    pid,
    exited,
    end,
    get ended() {
      return ended;
    },
  };
}

/** The ends of what the server printed before its log began and of the newest log file. */
function lastWords(home: string): string {
  const logs = readdirSync(join(home, 'log')).map((name) => join(home, 'log', name));
  const newest = logs.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  const lines = [join(home, START_LOG), ...(newest ? [newest] : [])].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /FATAL|PANIC|HINT|error/i.test(line))
      .slice(-3),
  );
  return lines.length ? lines.join('; ') : `see ${join(home, 'log')}`;
}
