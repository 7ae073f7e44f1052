import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, prepare, root, run } from './prepare.mjs';

const folder = mkdtempSync(join(tmpdir(), 'agentflow-test-'));
const given = process.argv.slice(2);

/**
 * What is broken on purpose is watched against deadlines, and has the machine to itself. Everything else runs two suites at
 * once: Jest would take one on two cores, and with more they would starve the processes that they start.
 */
const PASSES = [
  ['--selectProjects', 'unit', 'contract', 'e2e', 'interop', '--maxWorkers=2'],
  ['--selectProjects', 'faults', '--maxWorkers=1'],
];

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const [i, pass] of PASSES.entries()) {
  const counted = await tested(join(folder, `${i}.json`), pass);
  for (const kind of Object.keys(counts)) counts[kind] += counted[kind];
}
rmSync(folder, { recursive: true });
// A run without a test has shown nothing.
if (counts.passed === 0) counts.failed ||= 1;
console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);

async function tested(report, pass) {
  const code = await main(async () => {
    await prepare({ build: true });
    process.env.AGENTFLOW_TEST_HOME = root;
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const flags = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      jest,
      '--json',
      `--outputFile=${report}`,
      '--passWithNoTests',
      ...pass,
      ...given,
    ];
    return (await run(process.execPath, flags, { output: 1 })).code;
  });
  return countsOf(report, code);
}

/**
 * What Jest counted. A suite that could not be loaded has no tests to count and stands for one failed, and so
 * does a run that failed otherwise or that did not live to report.
 */
function countsOf(report, code) {
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const passed = counted.numPassedTests ?? 0;
  const failed = (counted.numFailedTests ?? 0) + (counted.numRuntimeErrorTestSuites ?? 0);
  const skipped = (counted.numPendingTests ?? 0) + (counted.numTodoTests ?? 0);
  return { passed, failed: failed || Number(code !== 0), skipped };
}
