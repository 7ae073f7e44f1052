import { APP_ROLE, assumeRole, migrate, OWNER_ROLE, WORKER_ROLE } from '@agentflow/database';
import {
  startThrowAwayPostgres,
  type ThrowAwayPostgres,
} from '../../libs/database/src/embedded/throw-away-postgres.js';
import { connected } from '../support/database.js';
import { databaseUrl } from '../support/test-postgres.js';

/** Roles belong to a cluster, so making them for the first time takes one that has none. */
describe('on a cluster that has never seen AgentFlow', () => {
  let cluster: ThrowAwayPostgres;
  let adminUrl: string;

  beforeAll(async () => {
    cluster = await startThrowAwayPostgres();
    adminUrl = cluster.postgres.adminUrl;
  });
  afterAll(() => cluster.discard());

  const asAdmin = (...statements: string[]) =>
    connected(adminUrl, async (admin) => {
      for (const statement of statements) await admin.query(statement);
    });

  it('[T18] the ordinary owner of a managed database migrates it, and the api acts under row security', async () => {
    await asAdmin(
      `CREATE ROLE boss LOGIN CREATEROLE NOSUPERUSER PASSWORD 'boss'`,
      `CREATE DATABASE managed OWNER boss`,
    );
    const url = databaseUrl(adminUrl, 'managed', { role: 'boss', password: 'boss' });
    expect(await migrate(url)).not.toHaveLength(0);
    expect(await migrate(url)).toEqual([]);
    expect(await assumeRole(url, APP_ROLE)).toBe(APP_ROLE);
    expect(await assumeRole(url, WORKER_ROLE)).toBe(WORKER_ROLE);
    await connected(url, async (boss) => {
      expect((await boss.query(`SELECT * FROM authenticate_key('nobody')`)).rowCount).toBe(0);
      expect((await boss.query(`SELECT id FROM runs`)).rowCount).toBe(0);
    });
    await asAdmin(`DROP DATABASE managed`, `DROP ROLE ${APP_ROLE}, ${WORKER_ROLE}, ${OWNER_ROLE}, boss`);
  });

  it('[M3] four databases make the roles at the same time, and all are migrated', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await asAdmin(...names.map((name) => `CREATE DATABASE ${name}`));
    const applied = await Promise.all(names.map((name) => migrate(databaseUrl(adminUrl, name))));
    expect(new Set(applied.map(String)).size).toBe(1);
    expect(applied[0]).not.toHaveLength(0);
  });
});
