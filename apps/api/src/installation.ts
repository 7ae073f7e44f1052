import { readFileSync } from 'node:fs';

/** What an api process is given when it starts, by token. */
export const CONFIGURATION = Symbol('configuration');
export const LIMITS = Symbol('limits');
export const LOG = Symbol('log');
export const VERSION = Symbol('version');

/** The version in the nearest package.json above this file, from the sources as from the build. */
export function readVersion(): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
        name: string;
        version: string;
      };
      if (name === 'agentflow') return version;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    }
    if (folder.pathname === '/') throw new Error('no package.json of agentflow above the program');
  }
}
