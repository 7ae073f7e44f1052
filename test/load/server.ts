import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, chmodSync, openSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** The built product as `npm start` starts it, on its embedded Postgres, with everything on as in production. */
export interface Server {
  url: string;
  key: string;
  /** The superuser's way to its database. */
  adminUrl: string;
  dataDir: string;
  /** The process that was started; those that serve the API may be its children. */
  pid: number;
}

/** As `npm start` and the image have it: most of what a request leaves behind dies young, and room for that saves collecting. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/**
 * Starts the product on a fresh data directory, lets `work` use it, and removes everything. By so many processes, or as many as
 * `npm start` takes on this machine.
 */
export async function withServer<T>(work: (server: Server) => Promise<T>, processes?: number): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentflow-bench-'));
  chmodSync(dataDir, 0o755);
  const port = await aFreePort();
  // The log goes to a file, as it would to a collector; it is written all the same.
  const log = openSync(join(dataDir, 'api.log'), 'w');
  const child = spawn(process.execPath, [...NODE_FLAGS, 'scripts/start.mjs'], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      PORT: String(port),
      AGENTFLOW_DATA_DIR: dataDir,
      AGENTFLOW_DRAIN_DELAY_MS: '0',
      ...(processes === undefined ? {} : { AGENTFLOW_API_PROCESSES: String(processes) }),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, () => child.exitCode);
    const { key } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as { key: string };
    const adminUrl = readFileSync(join(dataDir, 'postgres-url'), 'utf8').trim();
    return await work({ url, key, adminUrl, dataDir, pid: child.pid as number });
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Vacuums and analyses what was written: a script that writes three times as fast would leave most of it to those who come after. */
export async function vacuum({ adminUrl }: Server): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function untilReady(url: string, exitCode: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (exitCode() !== null) throw new Error('the server ended before it was ready');
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await delay(100);
  }
  throw new Error('the server is not ready');
}

async function aFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
