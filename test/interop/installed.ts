import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';

/** Where an interpreter is, or why there is none. */
type Found<Place extends string> = { readonly [place in Place]: string } | { readonly missing: string };

/** Installs the JavaScript clients if they are not there yet. They run on our Node; some need a later one. */
export const installedJs = (): Promise<Found<'node22'>> => install('js');

/** Installs the Python clients if they are not there yet. */
export const installedPython = (): Promise<Found<'interpreter'>> => install('python');

async function install<Place extends string>(language: string): Promise<Found<Place>> {
  const program = fileURLToPath(new URL('install.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, language]);
  return JSON.parse(stdout) as Found<Place>;
}

/** A suite for an interpreter. Where there is none its tests are counted as skipped, under a title that says why. */
export function describeOn<Place extends string>(
  found: Found<Place>,
  place: Place,
  title: string,
  tests: (interpreter: string) => void,
): void {
  if ('missing' in found) describe.skip(`${title} (skipped: ${found.missing})`, () => tests(''));
  else describe(title, () => tests(found[place]));
}
