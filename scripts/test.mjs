import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, prepare, root, run } from './prepare.mjs';

const folder = mkdtempSync(join(tmpdir(), 'agentflow-test-'));
const report = join(folder, 'report.json');

const code = await main(async () => {
  await prepare({ build: false });
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ];
  return (await run(process.execPath, flags, { output: 1 })).code;
});

const { passed, failed, skipped } = figures();
rmSync(folder, { recursive: true });
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 ? code || 1 : 0);

/**
 * What Jest counted. A suite that could not be loaded has no tests to count and stands for one failed, and so
 * does a run that failed otherwise, that ran no test, or that did not live to report.
 */
function figures() {
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const passed = counted.numPassedTests ?? 0;
  const failed = (counted.numFailedTests ?? 0) + (counted.numRuntimeErrorTestSuites ?? 0);
  const skipped = (counted.numPendingTests ?? 0) + (counted.numTodoTests ?? 0);
  return { passed, failed: failed || Number(code !== 0 || passed === 0), skipped };
}
