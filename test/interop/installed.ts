import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';

/** The interpreter that has the Python clients, or why there is none. */
type Python = { readonly interpreter: string } | { readonly missing: string };

/** Installs the JavaScript clients if they are not there yet. They run on the Node that runs this. */
export async function installJsClients(): Promise<void> {
  await install('js');
}

/** Installs the Python clients if they are not there yet and this machine can have them. */
export async function installPythonClients(): Promise<Python> {
  return JSON.parse(await install('python')) as Python;
}

async function install(language: string): Promise<string> {
  const program = fileURLToPath(new URL('install.mjs', import.meta.url));
  return (await promisify(execFile)(process.execPath, [program, language])).stdout;
}

/** A suite of Python clients. Where there is no Python its tests are counted as skipped, under a title that says why. */
export function describeInPython(python: Python, title: string, tests: (interpreter: string) => void): void {
  if ('missing' in python) describe.skip(`${title} (skipped: ${python.missing})`, () => tests(''));
  else describe(title, () => tests(python.interpreter));
}
