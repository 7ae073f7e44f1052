import { APP_ROLE, DEFAULT_LIMITS, connect, type Connected } from '@agentflow/database';
import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { aDatabase, connected as connectedTo, type TestDatabase } from '../support/database.js';

describe('a connection that Postgres ends while it is idle', () => {
  let database: TestDatabase;
  let connected: Connected;
  let lost: Error[];
  let hasLost: Promise<void>;

  beforeEach(async () => {
    database = await aDatabase();
    lost = [];
    let tell = (): void => undefined;
    hasLost = new Promise((resolve) => (tell = resolve));
    connected = await connect({
      ...{ url: database.appUrl, role: APP_ROLE, size: 1, acquireTimeoutMs: 5_000 },
      ...{ applicationName: 'agentflow test', limits: DEFAULT_LIMITS },
      onConnectionLost: (error) => {
        lost.push(error);
        tell();
      },
    });
  });
  afterEach(() => database.drop());

  const terminate = (pid: number) =>
    connectedTo(database.adminUrl, (admin) => admin.query('SELECT pg_terminate_backend($1)', [pid]));

  /** The server's process of the one connection, and when the connection is over here. */
  async function idle(): Promise<{ pid: number; isOver: Promise<void> }> {
    const pool = (connected.dataSource.driver as PostgresDriver).master as Pool;
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.release();
    const isOver = new Promise<void>((resolve) => client.once('end', resolve));
    return { pid: rows[0]?.pid as number, isOver };
  }

  it('is told of', async () => {
    const { pid } = await idle();
    await terminate(pid);
    await hasLost;
    expect(lost).toMatchObject([{ code: '57P01' }]);
    await connected.close();
  });

  it('is nothing to tell of when it was being closed already', async () => {
    const { pid, isOver } = await idle();
    process.kill(pid, 'SIGSTOP'); // It reads no more that this side is closing.
    const closed = connected.close();
    await terminate(pid).finally(() => process.kill(pid, 'SIGCONT'));
    await Promise.all([closed, isOver]);
    expect(lost).toEqual([]);
  });
});
