import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How a client's program ended. The code is null when it had to be killed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A client that does not end by itself has kept its agent from ending. The machine may be busy with other things. */
const LIMIT_MS = 90_000;

type Variables = Record<string, string>;

/** Runs a program of `js/` or `python/` with nothing in its environment but what is given, and waits for its end. */
export async function runProgram(command: string, file: string, variables: Variables): Promise<Ended> {
  const { PATH = '' } = process.env;
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(command, [path], {
    env: { PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, ...written };
}

/** What every program of this suite ends like: by itself, with the answer of its agent, whatever became of its reports. */
export const ANSWERED = { code: 0, stdout: 'There is cheese.\n' };
