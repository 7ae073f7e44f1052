import { mapAllAgain, readConfiguration } from '@agentflow/core';
import { APP_ROLE, DEFAULT_LIMITS, WORKER_ROLE, connect } from '@agentflow/database';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS } from './dialects/report-dialects.js';

/*
 * `npm run remap`: applies the present mappings to what other reporters sent before. With the embedded Postgres the product
 * has to be running.
 */
const { databaseUrl, dataDir, poolTimeoutMs } = readConfiguration(process.env);
const url = databaseUrl ?? embeddedUrl(join(dataDir, 'postgres-url'));
const pool = { url, size: 2, acquireTimeoutMs: poolTimeoutMs, applicationName: 'agentflow remap' };
const app = await connect({ ...pool, role: APP_ROLE, limits: DEFAULT_LIMITS });
const worker = await connect({
  ...pool,
  role: WORKER_ROLE,
  limits: { ...DEFAULT_LIMITS, statementTimeoutMs: 60_000 },
});
try {
  for (const dialect of DIALECTS) {
    const runs = await mapAllAgain({ app: app.database, worker: worker.database }, dialect);
    process.stdout.write(`${dialect.name} (mapping ${dialect.version}): ${runs} runs mapped again\n`);
  }
} finally {
  await app.close();
  await worker.close();
}

function embeddedUrl(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Error('There is no DATABASE_URL, and no embedded Postgres is running: start the product first.');
}
