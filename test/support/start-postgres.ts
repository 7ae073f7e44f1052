import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

declare global {
  /** The process that holds the cluster; it ends when its standard input does. */
  var postgresHolder: ChildProcess | undefined;
}

/**
 * Starts the one cluster of a test run and leaves its whereabouts in the environment, where `database.ts` finds
 * them.
 *
 * Jest loads this file outside its own module system, in which neither our aliases nor `.js` for `.ts` work; so
 * the cluster is held by a process of its own. That process also outlives a killed Jest by just long enough to
 * remove the cluster.
 */
export default async function startPostgres(): Promise<void> {
  const holder = spawn(
    process.execPath,
    ['--import', './test/support/typescript.mjs', 'test/support/hold-postgres.ts'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  globalThis.postgresHolder = holder;
  process.env.AGENTFLOW_TEST_POSTGRES = await firstLine(holder);
}

function firstLine(holder: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    holder.once('error', reject);
    holder.once('exit', () => reject(new Error('no Postgres for the tests; the reason stands above')));
    createInterface({ input: holder.stdout as NodeJS.ReadableStream }).once('line', resolve);
  });
}
