import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The product in a process of its own, as it is started for real. */
export interface ApiProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Tells it to stop and waits for its end; answers the exit code. */
  stop(): Promise<number | null>;
}

const MAIN = ['--import', './test/support/typescript.mjs', 'apps/api/src/main.ts'];

/** Starts the product with nothing in its environment but what is given, and waits until it listens. */
export async function anApiProcess(settings: Record<string, string>): Promise<ApiProcess> {
  const { child, output } = start(settings);
  const exited = once(child, 'exit');
  const url = await Promise.race([
    new Promise<string>((resolve) =>
      child.stderr?.on('data', () => {
        const found = /running at (http:\S+)/.exec(output().stderr)?.[1];
        if (found) resolve(found);
      }),
    ),
    exited.then(() => Promise.reject(new Error(`it did not start: ${output().stderr}`))),
  ]);
  return {
    url,
    process: child,
    output,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

/** Starts the product and waits for its end, which is all that is expected of it. */
export async function aFailedStart(
  settings: Record<string, string>,
): Promise<{ code: number | null; text: string }> {
  const { child, output } = start(settings);
  await once(child, 'close');
  return { code: child.exitCode, text: output().stdout + output().stderr };
}

function start(settings: Record<string, string>): { child: ChildProcess; output: ApiProcess['output'] } {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', AGENTFLOW_DRAIN_DELAY_MS: '0', ...settings };
  const child = spawn(process.execPath, MAIN, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  return { child, output: () => written };
}
