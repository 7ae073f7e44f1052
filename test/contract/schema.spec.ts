import { createDataSource, dumpSchema, migrate, revertMigration } from '@agentflow/database';
import { readFile } from 'node:fs/promises';
import { aDatabase, anEmptyDatabase, connected, type TestDatabase } from '../support/database.js';

const REGENERATE =
  'migrations/schema.sql is not what the migrations make: run "npm run schema" and commit it';

describe('the schema', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.drop());

  /** What TypeORM would change to make the database fit the entities. */
  async function differences(): Promise<string[]> {
    const dataSource = createDataSource({
      ...{ url: database.adminUrl, size: 2, acquireTimeoutMs: 5_000 },
      applicationName: 'drift',
    });
    await dataSource.initialize();
    try {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      return upQueries.map(({ query }) => query);
    } finally {
      await dataSource.destroy();
    }
  }

  it('[M4] is the same in the migrations and in the entities', async () => {
    expect(await differences()).toEqual([]);
  });

  it('[M4] a column, a key, an index or a check that only one of them has is noticed', async () => {
    await connected(database.adminUrl, async (admin) => {
      await admin.query(`ALTER TABLE runs ADD COLUMN forgotten int;
        ALTER TABLE steps DROP CONSTRAINT fk_steps_parent;
        ALTER TABLE steps DROP CONSTRAINT ck_steps_index;
        DROP INDEX ix_messages_run_index;
        ALTER TABLE agents ALTER COLUMN description SET NOT NULL`);
    });
    const noticed = (await differences()).join('\n');
    expect(noticed).toContain('DROP COLUMN "forgotten"');
    expect(noticed).toContain('ADD CONSTRAINT "fk_steps_parent"');
    expect(noticed).toContain('ADD CONSTRAINT "ck_steps_index"');
    expect(noticed).toContain('CREATE UNIQUE INDEX "ix_messages_run_index"');
    expect(noticed).toContain('ALTER COLUMN "description" DROP NOT NULL');
  });

  it('[M4] is never changed by TypeORM itself', () => {
    const options = { url: database.appUrl, size: 1, acquireTimeoutMs: 1, applicationName: 'test' };
    expect(createDataSource(options).options).toMatchObject({ synchronize: false, installExtensions: false });
    expect(createDataSource(options).options).not.toHaveProperty('migrationsRun');
  });
});

describe('migrations/schema.sql', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await anEmptyDatabase();
  });
  afterEach(() => database.drop());

  const dump = () => connected(database.adminUrl, dumpSchema);
  const committed = () => readFile('migrations/schema.sql', 'utf8');

  it('[M4] is what the migrations make', async () => {
    await migrate(database.adminUrl);
    if ((await dump()) !== (await committed())) throw new Error(REGENERATE);
  });

  it('[M4] is the same after every migration was taken back and applied again', async () => {
    const applied = await migrate(database.adminUrl);
    for (const name of [...applied].reverse()) expect(await revertMigration(database.adminUrl)).toBe(name);
    expect(await revertMigration(database.adminUrl)).toBeUndefined();
    expect(await dump()).not.toContain('agentflow_app');
    expect(await migrate(database.adminUrl)).toEqual(applied);
    expect(await dump()).toBe(await committed());
  });

  it('[M4] can be loaded into an empty database and says all there is', async () => {
    await connected(database.adminUrl, async (admin) => {
      await admin.query('GRANT ALL ON SCHEMA public TO agentflow_owner');
      await admin.query('SET ROLE agentflow_owner');
      await admin.query(await committed());
    });
    expect(await dump()).toBe(await committed());
  });

  it('[M4] refuses to leave out what it cannot write', async () => {
    await connected(database.adminUrl, (admin) => admin.query(`CREATE TYPE mood AS ENUM ('fine')`));
    await expect(dump()).rejects.toThrow('type mood');
  });
});
