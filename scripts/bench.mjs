import { join } from 'node:path';
import { main, prepare, root, run } from './prepare.mjs';

// `npm run bench` runs every row; `npm run bench -- <name> …` only those.
const { code } = await main(async () => {
  await prepare({ build: true });
  const flags = ['--disable-warning=ExperimentalWarning', '--import', './test/support/typescript.mjs'];
  return run(process.execPath, [...flags, join(root, 'test/load/bench.ts'), ...process.argv.slice(2)]);
});
process.exit(code);
