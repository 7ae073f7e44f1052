import { join } from 'node:path';
import { main, prepare, root, run, say } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);

/** What can be told without running the product, cheapest first. */
const STATIC = [
  ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
  ['import rules', bin('depcruise'), ['apps', 'libs', 'migrations', '--output-type', 'err']],
  ['dead code', bin('knip'), []],
  ['compose file', bin('dclint'), ['docker-compose.yml', '--max-warnings', '0']],
  ['types', bin('tsc'), ['--project', 'tsconfig.json']],
  ['lint', bin('eslint'), ['.']],
  ['drift of the API document', process.execPath, [join(root, 'scripts/openapi.mjs'), '--check']],
];

const BUILD = ['build', process.execPath, [join(root, 'scripts/build.mjs')]];
const TESTS = ['tests', process.execPath, [join(root, 'scripts/test.mjs')]];

// `npm run check` does everything; with `--static` it leaves out the build and the tests.
const checks = process.argv.includes('--static') ? STATIC : [...STATIC, BUILD, TESTS];

const failed = await main(async () => {
  await prepare({ build: false });
  const failures = [];
  for (const [name, command, args] of checks) {
    say(`check: ${name}`);
    const { code } = await run(command, args, { output: 1 });
    if (code !== 0) failures.push(name);
  }
  return failures;
});
say(failed.length === 0 ? 'check: all hold' : `check: failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
