import { existsSync, readFileSync } from 'node:fs';

/** What an api process is given when it starts, by token. */
export const CONFIGURATION = Symbol('configuration');
export const LIMITS = Symbol('limits');
export const LOG = Symbol('log');
export const VERSION = Symbol('version');

/** The folder of the product's package.json, from the sources as from the build. */
const HOME = findHome();

function findHome(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL('package.json', folder);
    if (existsSync(file) && packageIn(file).name === 'agentflow') return folder;
    if (folder.pathname === '/') throw new Error('no package.json of agentflow above the program');
  }
}

function packageIn(file: URL): { name: string; version: string } {
  return JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
}

/** A file that is shipped with the product, by its path in the repository. */
export function productFile(path: string): URL {
  return new URL(path, HOME);
}

/** The version of the product. */
export function readVersion(): string {
  return packageIn(productFile('package.json')).version;
}
