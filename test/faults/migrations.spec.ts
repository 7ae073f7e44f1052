import {
  dumpSchema,
  migrate,
  MigrationRefused,
  pendingMigrations,
  revertMigration,
} from '@agentflow/database';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { aDatabase, anEmptyDatabase, connected } from '../support/database.js';
import { aStatementProxy } from '../support/statement-proxy.js';

const PARALLEL_KILLS = 4;

/** Runs a migrator as a process; kills it when its `nth` statement is on its way. Answers how many it sent. */
async function migrateInProcess(databaseUrl: string, nth = Infinity): Promise<number> {
  const proxy = await aStatementProxy(databaseUrl, (count) => {
    if (count === nth) child.kill('SIGKILL');
  });
  const child = spawn(
    process.execPath,
    ['--import', './test/support/typescript.mjs', 'test/support/migrate-process.ts', proxy.url],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  await proxy.close();
  expect({ code, signal }).toEqual(
    nth === Infinity ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' },
  );
  return proxy.statements();
}

describe('migrations', () => {
  it('[M3] are whole after a kill -9 at any statement, and the next run completes them', async () => {
    const committed = await readFile('migrations/schema.sql', 'utf8');
    const first = await anEmptyDatabase();
    const statements = await migrateInProcess(first.adminUrl);
    expect(await connected(first.adminUrl, dumpSchema)).toBe(committed);
    await first.drop();

    const completed = new Map<number, string[]>();
    const points = Array.from({ length: statements }, (_, i) => i + 1);
    const worker = async () => {
      for (let nth = points.shift(); nth; nth = points.shift()) {
        const database = await anEmptyDatabase();
        await migrateInProcess(database.adminUrl, nth);
        completed.set(nth, await migrate(database.adminUrl));
        expect({ nth, dump: await connected(database.adminUrl, dumpSchema) }).toEqual({
          nth,
          dump: committed,
        });
        await database.drop();
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_KILLS }, worker));

    // Early kills left all of it to do, late ones less, one that hit after the last commit nothing.
    const left = [...completed].sort(([a], [b]) => a - b).map(([, names]) => names.length);
    expect(left).toEqual([...left].sort((a, b) => b - a));
    expect(new Set(left).size).toBe(Math.max(...left) + 1);
  }, 300_000);

  it('[M3] run once when several migrators start at the same time', async () => {
    const database = await anEmptyDatabase();
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.adminUrl, { log })));
    const busy = applied.filter(({ length }) => length > 0);
    expect(busy).toHaveLength(1);
    expect(lines.filter((line) => line.includes('waiting for it'))).not.toHaveLength(0);
    expect(await pendingMigrations(database.adminUrl)).toEqual([]);
    await database.drop();
  });

  it('[M1] give a lock up after two seconds, let waiting traffic pass, and try again', async () => {
    const database = await aDatabase();
    const reverted: (string | undefined)[] = [];
    while (!reverted[0]?.startsWith('CreateRuns')) reverted.unshift(await revertMigration(database.adminUrl));
    const writer = new pg.Client({ connectionString: database.adminUrl });
    await writer.connect();
    await writer.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE');
    const lines: string[] = [];
    const applied = await migrate(database.adminUrl, {
      log: (line) => {
        lines.push(line);
        void writer.query('COMMIT');
      },
    });
    expect(lines).toEqual(['A migration waited too long for a lock and tries again.']);
    expect(applied).toEqual(reverted);
    await writer.end();
    await database.drop();
  });

  it('[M3] refuse a database that a newer version has migrated', async () => {
    const database = await aDatabase();
    await connected(database.adminUrl, (admin) =>
      admin.query(`INSERT INTO schema_migrations (timestamp, name) VALUES (1, 'FromTomorrow1')`),
    );
    for (const attempt of [migrate, revertMigration, pendingMigrations]) {
      await expect(attempt(database.adminUrl)).rejects.toThrow(MigrationRefused);
      await expect(attempt(database.adminUrl)).rejects.toThrow('newer version of AgentFlow (FromTomorrow1');
    }
    await database.drop();
  });

  it('[M3] are known to be pending to any login, and to none when all are applied', async () => {
    const [fresh, migrated] = [await anEmptyDatabase(), await aDatabase()];
    const all = await pendingMigrations(fresh.appUrl);
    expect(all).toEqual([...all].sort((a, b) => a.slice(-13).localeCompare(b.slice(-13))));
    expect(all).not.toHaveLength(0);
    for (const url of [migrated.appUrl, migrated.workerUrl, migrated.adminUrl]) {
      expect(await pendingMigrations(url)).toEqual([]);
    }
    await fresh.drop();
    await migrated.drop();
  });
});

describe('a test database', () => {
  it('cannot be dropped in silence while somebody is still connected', async () => {
    const database = await anEmptyDatabase();
    const leaked = new pg.Client({ connectionString: database.adminUrl });
    leaked.on('error', () => undefined);
    await leaked.connect();
    await leaked.query('SELECT 1 AS leak');
    await expect(database.drop()).rejects.toThrow(/Connections were leaked.*SELECT 1 AS leak/s);
    await leaked.end().catch(() => undefined);
  });
});
