import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, told apart from a later one with the same pid by when it started. Containers hand out the same
 * few pids again at every start, so a pid alone says nothing about a file that outlived its writer.
 * `started` is only compared, never read; it is null where the system does not tell.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: observe(process.pid)?.started ?? null };
}

/** False only when that very process is certainly gone; a zombie is gone, a stopped process is not. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  const now = observe(pid);
  if (!now) return false;
  return started === null || now.started === null || now.started === started;
}

/** The words a living process was started with, or null where they cannot be read. */
export function commandLine(pid: number): string | null {
  if (process.platform === 'linux') {
    return readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || null;
  }
  return ps(pid, 'command=');
}

/** Fields of /proc/<pid>/stat; the name in parentheses may itself contain spaces and parentheses. */
export function parseProcStat(text: string): { state: string; startTicks: string } | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  return text.includes(')') && state && startTicks ? { state, startTicks } : null;
}

function observe(pid: number): { started: string | null } | null {
  if (!answersSignals(pid)) return null;
  if (process.platform === 'linux') {
    const stat = parseProcStat(readOrNull(`/proc/${pid}/stat`) ?? '');
    if (!stat) return answersSignals(pid) ? { started: null } : null;
    // Ticks count from boot, so without the boot's id a reboot could repeat them.
    const boot = readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
    return 'ZX'.includes(stat.state) ? null : { started: `${boot}/${stat.startTicks}` };
  }
  if (process.platform !== 'win32' && ps(pid, 'stat=')?.startsWith('Z')) return null;
  return { started: process.platform === 'win32' ? null : ps(pid, 'lstart=') };
}

function answersSignals(pid: number): boolean {
  // Zero and negative numbers would address whole process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ps(pid: number, column: string): string | null {
  const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { env, encoding: 'utf8' });
  return stdout?.trim() || null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
