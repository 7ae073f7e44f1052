import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program of the product in a process of its own, as it is started for real. */
export interface ProductProcess {
  readonly process: ChildProcess;
  /** What it wrote so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Resolves when it has written this, and fails when it ends before. */
  said(what: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it has ended and all that it wrote is there; answers the exit code. */
  readonly ended: Promise<number | null>;
  /** Tells it to stop and waits for its end; answers the exit code. */
  stop(): Promise<number | null>;
}

export interface ApiProcess extends ProductProcess {
  readonly url: string;
}

export interface ProcessOptions {
  /** Further modules for Node to load before the program. */
  readonly imports?: readonly string[];
  /** The programs as they were built in this folder, instead of their sources. */
  readonly home?: string;
  /** The user who runs it. */
  readonly uid?: number;
}

type Settings = Record<string, string>;

/** Starts the product with nothing in its environment but what is given, and waits until it listens. */
export async function anApiProcess(settings: Settings, options?: ProcessOptions): Promise<ApiProcess> {
  const started = start('api', settings, options);
  const [, url = ''] = await started.said(/running at (http:\S+)/);
  return { ...started, url };
}

/** Starts the worker likewise, and waits until it answers health checks. */
export async function aWorkerProcess(settings: Settings, options?: ProcessOptions): Promise<ApiProcess> {
  const started = start('worker', settings, options);
  const [, port = ''] = await started.said(/"port":(\d+)/);
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/** Starts the product and waits for its end, which is all that is expected of it. */
export async function aFailedStart(
  settings: Settings,
  program: 'api' | 'worker' = 'api',
): Promise<{ code: number | null; text: string }> {
  const { ended, output } = start(program, settings);
  const code = await ended;
  return { code, text: output().stdout + output().stderr };
}

/**
 * Where `npm test` has just built everything: a start of what is built takes half as long as one of the sources, which
 * single suites use because they may be newer.
 */
const { AGENTFLOW_TEST_HOME: BUILT_HOME } = process.env;

function start(
  program: 'api' | 'worker',
  settings: Settings,
  { imports = [], home = BUILT_HOME, uid }: ProcessOptions = {},
): ProductProcess {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', AGENTFLOW_DRAIN_DELAY_MS: '0', ...settings };
  const loaded = [...(home === undefined ? ['./test/support/typescript.mjs'] : []), ...imports];
  const main =
    home === undefined
      ? [`apps/${program}/src/main.ts`]
      : ['--enable-source-maps', `dist/apps/${program}/src/main.js`];
  const child = spawn(process.execPath, [...loaded.flatMap((file) => ['--import', file]), ...main], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(home === undefined ? {} : { cwd: home }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    process: child,
    output: () => written,
    ended,
    said: (what) => {
      const heard = new Promise<RegExpExecArray>((resolve) => {
        const listen = (): void => {
          const found = what.exec(written.stdout) ?? what.exec(written.stderr);
          if (found) resolve(found);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', listen);
        listen();
      });
      const silent = ended.then(() =>
        Promise.reject(new Error(`it ended: ${written.stdout}${written.stderr}`)),
      );
      silent.catch(() => undefined); // it may well end later
      return Promise.race([heard, silent]);
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
