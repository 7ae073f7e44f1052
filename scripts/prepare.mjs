import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything here runs before the install, so it may import nothing but Node, and before the check of Node too. */
export const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

const LOCKFILE = join(root, 'package-lock.json');
const INSTALL_STAMP = join(root, 'node_modules/.agentflow-install');
const NPM_RECORD = join(root, 'node_modules/.package-lock.json');
const BUILD_STAMP = join(root, 'dist/.agentflow-build');
const MAIN = join(root, 'dist/apps/api/src/main.js');
const SOURCES = ['apps', 'libs', 'migrations', 'nest-cli.json', 'package-lock.json', 'tsconfig.json'];

/** Binary packages are of one platform, and a folder may be shared between a machine and a container. */
const PLATFORM = `${process.platform}-${process.arch}`;

/** A reason to give up that is for the person at the terminal, without a stack. */
export class PreparationFailed extends Error {}

/** Runs a script's work; what fails is told on stderr, and the process ends with a code that says so. */
export async function main(work) {
  try {
    requireNode();
    return await work();
  } catch (error) {
    say(error instanceof PreparationFailed ? error.message : error.stack);
    process.exit(1);
  }
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Installs what the lockfile lists, and builds if asked to, as far as either is not done already. */
export async function prepare({ build = false }) {
  if (isInstalled() && !(build && needsBuild())) return;
  await alone(async (lock) => {
    if (!isInstalled()) await install(lock);
    if (build && needsBuild()) await buildAll(lock);
  });
}

/** Builds api and worker from nothing. The stamp is of the sources as they were before, and written last. */
export async function rebuild() {
  await alone(async (lock) => {
    if (!isInstalled()) await install(lock);
    await buildAll(lock);
  });
}

/**
 * Runs a program and gives its exit code and, when `output` is a pipe, what it printed. A signal that asks us to
 * stop is passed on, and we stop when the program has.
 */
export async function run(program, args, { output = 2, lock = 'ignore' } = {}) {
  const stdio = ['ignore', output, output === 'pipe' ? output : 2, lock];
  // npm is a script on Windows, which only a shell can start.
  const child = spawn(program, args, {
    cwd: root,
    stdio,
    shell: program === 'npm' && process.platform === 'win32',
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  let stop;
  const pass = (signal) => child.kill((stop = signal));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass);
  if (stop) process.exit(128 + constants.signals[stop]);
  return { code, printed };
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PreparationFailed(`AgentFlow needs Node 20.19 or newer, and this is ${process.version}.`);
}

/**
 * Lets one process at a time prepare this folder. The lock is a listening socket, which the system takes back
 * from whoever dies: it cannot go stale. Its descriptor is handed to the programs that do the work, so that it
 * is held until they end even when we are killed.
 */
export async function alone(work) {
  const name = `agentflow-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  const address =
    {
      linux: `\0${name}`,
      win32: `\\\\.\\pipe\\${name}`,
    }[process.platform] ?? join(tmpdir(), `${name}.sock`);
  const waiting = new Set();
  const server = createServer((socket) => waiting.add(socket.on('error', () => undefined)));
  for (let told = false; !(await listens(server, address)); told = true) {
    if (!told) say('Another process is preparing this folder; waiting for it');
    await released(address);
  }
  try {
    return await work(server._handle.fd >= 0 ? server._handle.fd : 'ignore');
  } finally {
    server.close();
    for (const socket of waiting) socket.destroy();
  }
}

function listens(server, address) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });
}

/** Resolves when the holder closes its end, or is gone; a socket's file may outlive the one who made it. */
function released(address) {
  return new Promise((resolve) => {
    const socket = connect(address).resume();
    socket.once('error', (error) => {
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true });
    });
    socket.once('close', () => setTimeout(resolve, 50));
  });
}

async function install(lock) {
  say('Installing packages (npm ci)');
  // npm ci empties the folder first; were it killed meanwhile, these would speak for packages that are gone.
  for (const record of [INSTALL_STAMP, NPM_RECORD]) rmSync(record, { force: true });
  // Development packages too, whatever NODE_ENV says: the build needs them.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { code } = await run('npm', ['ci', ...flags], { lock });
  if (code !== 0) throw new PreparationFailed(`npm ci failed with code ${code}; its reason is above.`);
  writeFileSync(INSTALL_STAMP, installStamp());
}

function isInstalled() {
  if (!existsSync(join(root, 'node_modules'))) return false;
  if (readOrEmpty(INSTALL_STAMP) === installStamp()) return true;
  // Whoever ran npm by hand left no stamp, but npm's own record of what it put there.
  if (existsSync(INSTALL_STAMP) && !readOrEmpty(INSTALL_STAMP).endsWith(PLATFORM)) return false;
  if (!isInstalledByHand()) return false;
  writeFileSync(INSTALL_STAMP, installStamp());
  return true;
}

/** Every package of the lockfile is there in the same version, those aside that another platform would need. */
function isInstalledByHand() {
  const record = readOrEmpty(NPM_RECORD);
  if (!record) return false;
  const [wanted, found] = [readFileSync(LOCKFILE, 'utf8'), record].map((text) => JSON.parse(text).packages);
  const isSame = (path) =>
    found[path]?.version === wanted[path].version && found[path].integrity === wanted[path].integrity;
  return Object.keys(wanted).every(
    (path) => path === '' || (path in found ? isSame(path) : wanted[path].optional),
  );
}

function installStamp() {
  return `${createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')} ${PLATFORM}`;
}

async function buildAll(lock) {
  say('Building');
  const stamp = buildStamp();
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  // Side by side: both compile the same libraries to the same files, and each alone takes one core.
  const build = async (app) => {
    const { code, printed } = await run(process.execPath, [nest, 'build', app], { output: 'pipe', lock });
    if (code !== 0) {
      throw new PreparationFailed(`${printed.trim()}\nThe build of ${app} failed with code ${code}.`);
    }
  };
  const failures = (await Promise.allSettled(['api', 'worker'].map(build))).filter(({ reason }) => reason);
  if (failures.length > 0) throw failures[0].reason;
  writeFileSync(BUILD_STAMP, stamp);
}

function needsBuild() {
  return !existsSync(MAIN) || readOrEmpty(BUILD_STAMP) !== buildStamp();
}

/** Paths, sizes and times of all sources: reading their contents would cost every start more than this may. */
function buildStamp() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesBelow(join(root, source))).sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path.slice(root.length)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** What is made from sources, and does not make them. */
const MADE = new Set(['node_modules', 'dist']);

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : filesBelow(join(path, entry.name));
    return entry.name.endsWith('.spec.ts') ? [] : [join(path, entry.name)];
  });
}

function readOrEmpty(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
