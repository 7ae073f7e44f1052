import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/**
 * Builds the package: `node libs/sdk/build.mjs [folder]`, by default into `dist`. Twice, since a package that was
 * made once for `import` cannot be had by `require` on every Node that is supported.
 */
const home = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(home, 'dist'));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
const codes = await Promise.all([build('esm', 'esnext'), build('cjs', 'commonjs')]);
// The package itself is of type module; a folder's own package.json says otherwise for what is in it.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
process.exitCode = Math.max(...codes);

function build(folder, format) {
  const flags = ['-p', home, '--outDir', join(dist, folder), '--module', format];
  const child = spawn(process.execPath, [tsc, ...flags], { stdio: 'inherit' });
  return new Promise((done, failed) => child.once('error', failed).once('close', (code) => done(code ?? 1)));
}
