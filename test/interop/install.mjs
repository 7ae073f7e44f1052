import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { alone } from '../../scripts/prepare.mjs';

// Installs the clients that the suite runs, once for each version of their lists, and prints where they are. It is a
// program of its own so that it can hold the lock of this folder: several test files may ask for the same at once.

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const PLATFORM = `${process.platform}-${process.arch}`;
const OLDEST_PYTHON = [3, 10];

const [language] = process.argv.slice(2);
const found = await alone(() => (language === 'python' ? installPython() : installJs()));
console.log(JSON.stringify(found));

/** Next to the programs, where Node looks for what they import. */
async function installJs() {
  const folder = join(here, 'js');
  const modules = join(folder, 'node_modules');
  const stamp = join(modules, '.agentflow-install');
  const wanted = `${hashOf(join(folder, 'package-lock.json'))} ${PLATFORM}`;
  if (textOf(stamp) !== wanted) {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['ci', ...flags], { cwd: folder, shell: process.platform === 'win32' });
    writeFileSync(stamp, wanted);
  }
  return {};
}

/** In a virtual environment, which nothing else sees. */
async function installPython() {
  const python = await pythonHere();
  if (python.missing) return python;
  const requirements = join(here, 'python/requirements.txt');
  const folder = join(here, '.cache/python');
  const stamp = join(folder, '.agentflow-install');
  const wanted = `${hashOf(requirements)} ${PLATFORM} ${python.version}`;
  const interpreter = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (textOf(stamp) === wanted) return { interpreter };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await run(python.command, ['-m', 'venv', folder]);
  } catch (error) {
    return { missing: `python3 here makes no virtual environments: ${lastLineOf(error)}` };
  }
  await run(interpreter, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  writeFileSync(stamp, wanted);
  return { interpreter };
}

async function pythonHere() {
  const command = process.platform === 'win32' ? 'python' : 'python3';
  const asked = run(command, ['-c', 'import sys; print(*sys.version_info[:3])']);
  const answer = await asked.catch(() => undefined);
  if (!answer) return { missing: 'there is no python3 here' };
  const [major, minor, patch] = answer.stdout.trim().split(' ').map(Number);
  const version = `${major}.${minor}.${patch}`;
  const isNewEnough = major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
  if (isNewEnough) return { command, version };
  return { missing: `the clients need Python ${OLDEST_PYTHON.join('.')}, and this is ${version}` };
}

function lastLineOf(error) {
  return String(error.stdout || error.stderr || error.message)
    .trim()
    .split('\n')
    .at(-1);
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
