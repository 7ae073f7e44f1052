import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformSync } from '@swc/core';

/**
 * Lets Node run the repository's sources as they are: `node --import ./test/support/typescript.mjs file.ts`.
 * For processes that a test starts and kills; compiled files might be older than the sources under test.
 */
if (isMainThread) register(import.meta.url);

const root = new URL('../../', import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8')).compilerOptions;
const aliases = new Map(Object.entries(paths).map(([alias, [file]]) => [alias, new URL(file, root).href]));

export function resolve(specifier, context, next) {
  const alias = aliases.get(specifier);
  if (alias) return { url: alias, shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
