import { randomBytes } from 'node:crypto';
import {
  APP_ROLE,
  assumeRole,
  migrate,
  OWNER_ROLE,
  RolesMissing,
  UnsafeRole,
  WORKER_ROLE,
} from '@agentflow/database';
import pg from 'pg';
import { aDatabase, anEmptyDatabase, connected, type TestDatabase } from '../support/database.js';
import { aWorld, announce, scopeOf, type World } from '../support/rows.js';
import { databaseUrl } from '../support/test-postgres.js';

describe('the login of the api', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let world: World;
  const logins: string[] = [];

  beforeAll(async () => {
    database = await aDatabase();
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    world = await aWorld(admin);
  });

  afterAll(async () => {
    for (const login of logins) await admin.query(`DROP OWNED BY ${login}; DROP ROLE ${login}`);
    await admin.end();
    await database.drop();
  });

  /** The URL of a new login with these attributes and memberships. */
  async function aLogin(attributes: string, ...roles: string[]): Promise<string> {
    const name = `login_${randomBytes(6).toString('hex')}`;
    const password = randomBytes(12).toString('hex');
    await admin.query(`CREATE ROLE ${name} LOGIN ${attributes} PASSWORD '${password}'`);
    logins.push(name);
    for (const role of roles) await admin.query(`GRANT ${role} TO ${name}`);
    return databaseUrl(database.adminUrl, database.name, { role: name, password });
  }

  /** How many runs of every organization a transaction sees that has become `role`, in one agent's scope. */
  async function runsSeen(url: string, role: string): Promise<number | null> {
    return connected(url, async (client) => {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('role', $1, true)`, [role]);
      await announce(client, scopeOf(world.own, 'agent'));
      return (await client.query('SELECT id FROM runs')).rowCount;
    });
  }

  it.each([
    ['the app role itself', () => database.appUrl, 'none'],
    ['a member of the app role', () => aLogin('', APP_ROLE), 'none'],
    ['a superuser', () => database.adminUrl, APP_ROLE],
    ['a login that bypasses row security', () => aLogin('BYPASSRLS', APP_ROLE), APP_ROLE],
    ["a member of the tables' owner", () => aLogin('', OWNER_ROLE, APP_ROLE), APP_ROLE],
    ['a member of the worker role', () => aLogin('', WORKER_ROLE, APP_ROLE), APP_ROLE],
    ['a member that inherits nothing', () => aLogin('NOINHERIT', APP_ROLE), APP_ROLE],
  ])('[T18] acts under row security: %s', async (_, login, role) => {
    const url = await login();
    expect(await assumeRole(url, APP_ROLE)).toBe(role);
    expect(await runsSeen(url, role)).toBe(2);
  });

  it.each([
    ['a login without the app role', () => aLogin(''), 'is not a member of agentflow_app'],
    ['a login that bypasses row security', () => aLogin('BYPASSRLS'), 'bypasses row security'],
    ["a member of the tables' owner", () => aLogin('', OWNER_ROLE), 'owns tables'],
    ['the worker', () => database.workerUrl, 'agentflow_worker, and may not become agentflow_app'],
  ])('[T18] is refused, with the way out: %s', async (_, login, reason) => {
    const refusal = assumeRole(await login(), APP_ROLE);
    await expect(refusal).rejects.toThrow(UnsafeRole);
    await expect(refusal).rejects.toThrow(reason);
    await expect(refusal).rejects.toThrow(/GRANT agentflow_app TO "\w+"/);
  });

  it('[T18] may be the owner of a single table no more than of all', async () => {
    const url = await aLogin('', APP_ROLE);
    await admin.query(`ALTER TABLE steps OWNER TO ${logins.at(-1)}`);
    expect(await assumeRole(url, APP_ROLE)).toBe(APP_ROLE);
    await admin.query(`ALTER TABLE steps OWNER TO ${OWNER_ROLE}`);
    expect(await assumeRole(url, APP_ROLE)).toBe('none');
  });

  it.each([
    [`ALTER ROLE ${APP_ROLE} BYPASSRLS`, 'bypasses row security'],
    [`ALTER ROLE ${APP_ROLE} SUPERUSER`, 'a superuser'],
    [`GRANT ${OWNER_ROLE} TO ${APP_ROLE}`, 'agentflow_owner (owns tables)'],
    [`GRANT ${WORKER_ROLE} TO ${APP_ROLE}`, 'agentflow_worker'],
    [`ALTER TABLE runs NO FORCE ROW LEVEL SECURITY`, 'Row security is not forced on: runs'],
    [`ALTER TABLE organizations DISABLE ROW LEVEL SECURITY`, 'Row security is not forced on: organizations'],
    [`CREATE TABLE fresh (tenant_id uuid); GRANT SELECT ON fresh TO ${APP_ROLE}`, 'not forced on: fresh'],
    [`ALTER TABLE runs OWNER TO ${APP_ROLE}`, 'agentflow_app (owns tables)'],
  ])('[T18] is refused after: %s', async (mistake, reason) => {
    await admin.query('BEGIN');
    await admin.query(mistake);
    const refusal = assumeRole(admin, APP_ROLE);
    await expect(refusal).rejects.toThrow(UnsafeRole);
    await expect(refusal).rejects.toThrow(reason);
    await admin.query('ROLLBACK');
  });

  it('[T18] leaves tables alone that the role cannot reach', async () => {
    await admin.query('BEGIN; CREATE TABLE of_somebody_else (tenant_id uuid)');
    expect(await assumeRole(admin, APP_ROLE)).toBe(APP_ROLE);
    await admin.query('ROLLBACK; DROP TABLE IF EXISTS of_somebody_else');
  });

  it('[T18] is the worker for the worker', async () => {
    expect(await assumeRole(database.workerUrl, WORKER_ROLE)).toBe('none');
    expect(await assumeRole(database.adminUrl, WORKER_ROLE)).toBe(WORKER_ROLE);
    await expect(assumeRole(database.appUrl, WORKER_ROLE)).rejects.toThrow(UnsafeRole);
  });

  it('finds nothing to migrate without being allowed to', async () => {
    expect(await migrate(database.appUrl)).toEqual([]);
  });

  it('is told what an administrator must run when it may not migrate, and then it may', async () => {
    const url = await aLogin('');
    const name = `test_${randomBytes(8).toString('hex')}`;
    const own = databaseUrl(url, name);
    await admin.query(`CREATE DATABASE ${name}`);
    try {
      await expect(migrate(own)).rejects.toThrow(/lacks CreateTenancy\d+.*Let an administrator run there/s);
      const { cause } = (await migrate(own).catch((error: unknown) => error)) as { cause: RolesMissing };
      expect(cause).toBeInstanceOf(RolesMissing);
      await connected(databaseUrl(database.adminUrl, name), async (administrator) => {
        for (const statement of cause.statements) await administrator.query(statement);
      });
      expect(await migrate(own)).toContainEqual(expect.stringMatching(/^CreateTenancy/));
      expect(await assumeRole(own, APP_ROLE)).toBe(APP_ROLE);
    } finally {
      await admin.query(`DROP DATABASE ${name}`);
    }
  });

  it('is told to migrate first where nothing was migrated', async () => {
    const empty = await anEmptyDatabase();
    await expect(assumeRole(empty.appUrl, APP_ROLE)).rejects.toThrow('Run the migrations');
    await empty.drop();
  });
});
