import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One instruction, such as `COPY`, with what stands behind it. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** From one `FROM` to the next. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile as plain as ours: an instruction a line, no here-documents, no build arguments. */
export function readDockerfile(path: string): Stage[] {
  const stages: (Omit<Stage, 'instructions'> & { instructions: Instruction[] })[] = [];
  const text = readFileSync(path, 'utf8').replaceAll(/\\\n/g, ' ');
  for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not understood: ${line}`);
    if (name !== 'FROM') {
      stages.at(-1)?.instructions.push({ name, text: rest });
      continue;
    }
    const [base = '', , stage] = rest.split(' ');
    stages.push({ base, name: stage, instructions: [] });
  }
  return stages;
}

/** The last instruction of that name in a stage. */
export function lastOf({ instructions }: Stage, name: string): string {
  const found = instructions.findLast((one) => one.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found.text;
}

/** The settings that the `ENV` instructions of a stage make. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
  const pairs = instructions.filter(({ name }) => name === 'ENV').flatMap(({ text }) => text.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
}

/**
 * Every file that a build may see, by its path: what `.dockerignore` does not hide. The last pattern that matches the
 * file or a folder above it decides.
 */
export function filesOfContext(root: string): string[] {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ isLetIn: line.startsWith('!'), expression: expressionOf(line.replace(/^!/, '')) }));
  const isSeen = (path: string): boolean =>
    patterns.findLast(({ expression }) => expression.test(path))?.isLetIn ?? true;
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (name === '.git' || name === 'node_modules') return [];
      return statSync(join(root, path)).isDirectory() ? below(path) : isSeen(path) ? [path] : [];
    });
  return below('');
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((part) =>
      part === '**' ? '**' : part.replaceAll(/[.+^$()|[\]{}]/g, '\\$&').replaceAll('*', '[^/]*'),
    )
    .join('/')
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll('**', '.*');
  return new RegExp(`^${source}(?:/|$)`);
}
