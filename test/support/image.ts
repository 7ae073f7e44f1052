import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { filesOfContext, readDockerfile, type Instruction, type Stage } from './dockerfile.js';
import { aFolder } from './folder.js';

const run = promisify(execFile);

/** What became of the image, without a container. */
export interface Image {
  readonly stages: readonly Stage[];
  /** Where a path of the image lies here. */
  at(path: string): string;
  /** The folder that its programs start in. */
  readonly home: string;
  remove(): void;
}

/** The packages as `npm ci` leaves them; installing them anew would take minutes and a registry. */
const INSTALL = 'npm ci --ignore-scripts';
/** Without asking a registry. */
const FLAGS: Readonly<Record<string, string[]>> = { npm: ['--offline', '--no-audit', '--no-fund'] };

/**
 * Carries out each step of the Dockerfile in folders of this machine: a stage is a folder, and the build sees only what
 * `.dockerignore` lets in. A step that it does not know fails.
 */
export async function anImage(root: string): Promise<Image> {
  const folder = aFolder({ mode: 0o755 });
  const stages = readDockerfile(join(root, 'Dockerfile'));
  const context = new Set(filesOfContext(root));
  const home = new Map<Stage, string>();
  const inStage = (stage: Stage, path: string): string =>
    path.startsWith('/')
      ? join(folder.path, `stage-${stages.indexOf(stage)}`, path)
      : join(home.get(stage) ?? inStage(stage, '/'), path);

  async function perform(stage: Stage, { name, text }: Instruction): Promise<void> {
    if (name === 'WORKDIR') home.set(stage, made(inStage(stage, text)));
    else if (name === 'COPY') await copy(stage, text.split(' '));
    else if (name === 'RUN') await performRun(stage, text);
    else if (!['USER', 'ENV', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(name))
      throw unknown(name, text);
  }

  async function copy(stage: Stage, words: string[]): Promise<void> {
    const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
    const paths = from === undefined ? words : words.slice(1);
    const target = inStage(stage, paths.at(-1) as string);
    const origin = stages.find(({ name }) => name === from);
    for (const source of paths.slice(0, -1)) {
      const into = paths.at(-1)?.endsWith('/') ? join(target, basename(source)) : target;
      if (from === undefined) copyFromContext(source, into);
      else if (origin) await run('cp', ['-al', inStage(origin, source), into]);
      else throw unknown('COPY', words.join(' '));
    }
  }

  function copyFromContext(source: string, into: string): void {
    const files = [...context].filter((path) => path === source || path.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`COPY ${source}: it is not there, or .dockerignore hides it`);
    for (const file of files) {
      const place = join(into, file.slice(source.length));
      made(dirname(place));
      cpSync(join(root, file), place);
    }
  }

  async function performRun(stage: Stage, text: string): Promise<void> {
    const cwd = inStage(stage, '.');
    const [program = '', ...args] = text.split(' ');
    if (text === INSTALL) return installedPackages(root, cwd);
    if (program === 'rm' || program === 'mkdir') {
      const [flag = '', ...paths] = args;
      await run(program, [flag, ...paths.map((path) => inStage(stage, path))]);
    } else if (program === 'npm' || program === 'node') {
      await run(program, [...args, ...(FLAGS[program] ?? [])], { cwd, maxBuffer: 1e8 });
    } else throw unknown('RUN', text);
  }

  try {
    for (const stage of stages) for (const step of stage.instructions) await perform(stage, step);
  } catch (error) {
    folder.remove();
    throw error;
  }
  const last = stages.at(-1) as Stage;
  return { stages, at: (path) => inStage(last, path), home: inStage(last, '.'), remove: folder.remove };
}

/** The lockfile names what it was made from, and so does npm's own record of it. */
async function installedPackages(root: string, into: string): Promise<void> {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8')) as unknown;
  const { dependencies, devDependencies } = read(join(into, 'package.json')) as Record<string, object>;
  const { packages } = read(join(into, 'package-lock.json')) as { packages: Record<string, object> };
  const wanted = JSON.stringify({ dependencies, devDependencies });
  const { dependencies: locked, devDependencies: lockedDev } = packages[''] as Record<string, object>;
  if (wanted !== JSON.stringify({ dependencies: locked, devDependencies: lockedDev })) {
    throw new Error('npm ci would refuse: package.json and package-lock.json differ');
  }
  // Links cost nothing, and whoever removes one removes nothing here; what npm or we write to is copied.
  const [from, to] = [realpathSync(join(root, 'node_modules')), join(into, 'node_modules')];
  await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]));
  rmSync(join(to, '.cache'), { recursive: true, force: true });
  for (const written of ['.agentflow-install', '.package-lock.json'])
    rmSync(join(to, written), { force: true });
  cpSync(join(from, '.package-lock.json'), join(to, '.package-lock.json'));
}

function made(path: string): string {
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  return path;
}

function unknown(name: string, text: string): Error {
  return new Error(`this step is not known here, so nothing says that it works: ${name} ${text}`);
}
