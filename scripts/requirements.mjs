import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Which requirements a test's title names, and which wait for later: `test/requirements.json` lists them all, and
 * `later` those that have no test yet. A title with an unknown id, a requirement that lost its test, and one that
 * has a test and still stands on the list each end the script with 1.
 */
const { requirements, later } = JSON.parse(readFileSync(join(root, 'test/requirements.json'), 'utf8'));
const known = new Set(Object.keys(requirements));
const waiting = new Set(later);

const tests = new Map();
for (const folder of ['test', 'libs', 'apps']) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/spec\.ts$/.test(name) || /(^|\/)(node_modules|dist)\//.test(name)) continue;
    const file = join(root, folder, name);
    for (const [, id] of readFileSync(file, 'utf8').matchAll(/\[([KTVFRXWOISEZM]\d+|SDK\d+)\]/g)) {
      tests.set(id, (tests.get(id) ?? new Set()).add(relative(root, file)));
    }
  }
}

const covered = [...known].filter((id) => tests.has(id));
for (const id of covered)
  console.log(`${id.padEnd(5)} ${requirements[id]}: ${[...tests.get(id)].sort().join(', ')}`);
console.log(`\nWithout a test (${known.size - covered.length} of ${known.size}):`);
for (const id of known) if (!tests.has(id)) console.log(`${id.padEnd(5)} ${requirements[id]}`);

const faults = [
  ...[...tests.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no requirement`),
  ...[...known].filter((id) => !tests.has(id) && !waiting.has(id)).map((id) => `${id} has no test`),
  ...later
    .filter((id) => tests.has(id))
    .map((id) => `${id} has a test and still stands among the later ones`),
];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
