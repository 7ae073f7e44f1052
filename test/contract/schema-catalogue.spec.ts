import pg, { type ClientBase } from 'pg';
import { aDatabase, type TestDatabase } from '../support/database.js';

/** Everything else must belong to a tenant. */
const NOT_OF_A_TENANT = ['organizations', 'schema_migrations'];
/** Unique without the tenant: what is looked up before the tenant is known, and made so that nobody chooses it. */
const UNIQUE_EVERYWHERE = [
  'pk_organizations',
  'uq_organizations_slug',
  'uq_api_keys_public_id',
  'pk_schema_migrations',
  'uq_schema_migrations_name',
];

/** What breaks a rule about tenants, in words; each query answers them as `fault`. */
async function faults(client: ClientBase): Promise<string[]> {
  const found: string[] = [];
  for (const rule of RULES) {
    const { rows } = await client.query<{ fault: string }>(`WITH ${OBJECTS} ${rule}`, [
      NOT_OF_A_TENANT,
      UNIQUE_EVERYWHERE,
    ]);
    found.push(...rows.map(({ fault }) => fault));
  }
  return found.sort();
}

/** Every statement has to mention both parameters, for Postgres to know their types. */
const OBJECTS = `
  allowed AS (SELECT $1::text[] AS tables, $2::text[] AS indexes),
  tables AS (
    SELECT c.*, c.oid::regclass::text AS name FROM pg_class c, allowed
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')),
  tenant_tables AS (
    SELECT t.* FROM tables t WHERE name = 'organizations' OR EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = t.oid AND attname = 'tenant_id' AND attnotnull AND NOT attisdropped)),
  app AS (SELECT oid FROM pg_roles WHERE rolname = 'agentflow_app')`;

const RULES = [
  `SELECT 'table without tenant_id: ' || name AS fault FROM tables, allowed
   WHERE oid NOT IN (SELECT oid FROM tenant_tables) AND name <> ALL (allowed.tables)`,

  `SELECT 'row security not forced: ' || name AS fault FROM tenant_tables
   WHERE NOT (relrowsecurity AND relforcerowsecurity)`,

  `SELECT 'no policy with a check for the app: ' || name AS fault FROM tenant_tables, app
   WHERE NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = tenant_tables.oid AND polpermissive
     AND app.oid = ANY (polroles) AND polcmd = '*' AND polwithcheck IS NOT NULL)`,

  `SELECT 'policy that does not ask for the tenant: ' || polname || ' on ' || name AS fault
   FROM pg_policy JOIN tables ON tables.oid = polrelid, app
   WHERE polpermissive AND (app.oid = ANY (polroles) OR 0 = ANY (polroles))
     AND NOT (coalesce(pg_get_expr(polqual, polrelid), 'agentflow.tenant_id') LIKE '%agentflow.tenant_id%'
       AND coalesce(pg_get_expr(polwithcheck, polrelid), 'agentflow.tenant_id') LIKE '%agentflow.tenant_id%')`,

  `SELECT 'foreign key that does not carry the tenant along: ' || conname AS fault
   FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT oid FROM tables)
     AND NOT EXISTS (SELECT FROM unnest(conkey, confkey) AS pair (own, other)
       JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = own
       JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = other
       WHERE a.attname = 'tenant_id'
         AND b.attname = CASE WHEN confrelid = 'organizations'::regclass THEN 'id' ELSE 'tenant_id' END)`,

  `SELECT 'unique index without the tenant: ' || i.relname AS fault
   FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid, allowed
   WHERE x.indisunique AND x.indrelid IN (SELECT oid FROM tables) AND i.relname <> ALL (allowed.indexes)
     AND NOT EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = x.indrelid AND attname = 'tenant_id' AND attnum = ANY (x.indkey))`,

  `SELECT 'view that shows its owner''s rows: ' || relname AS fault FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
     AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)`,

  `SELECT 'SECURITY DEFINER with a search_path of the caller: ' || oid::regprocedure AS fault FROM pg_proc
   WHERE pronamespace = 'public'::regnamespace AND prosecdef
     AND NOT EXISTS (SELECT FROM unnest(proconfig) AS setting WHERE setting LIKE 'search_path=pg_catalog%')`,

  `SELECT 'SECURITY DEFINER for everybody: ' || oid::regprocedure AS fault FROM pg_proc
   WHERE pronamespace = 'public'::regnamespace AND prosecdef
     AND EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)`,

  `SELECT 'grant that goes too far: ' || privilege_type || ' on ' || name || ' to ' ||
     CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS fault
   FROM tables CROSS JOIN LATERAL aclexplode(relacl)
   WHERE grantee <> relowner AND (privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') OR relispartition
     OR is_grantable OR (grantee = 0 AND oid IN (SELECT oid FROM tenant_tables)))`,

  `SELECT 'object of another owner: ' || name AS fault FROM tables WHERE relowner <> 'agentflow_owner'::regrole`,
];

const POLICED = `ENABLE ROW LEVEL SECURITY; ALTER TABLE fresh FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON fresh TO agentflow_app
    USING (tenant_id = current_setting('agentflow.tenant_id')::uuid)
    WITH CHECK (tenant_id = current_setting('agentflow.tenant_id')::uuid)`;
const FRESH = `CREATE TABLE fresh (tenant_id uuid NOT NULL, id uuid NOT NULL, project_id uuid, name text)`;

/** Mistakes of a migration to come, and the fault that each must raise. */
const MISTAKES: [sql: string, fault: string][] = [
  [`CREATE TABLE fresh (id uuid)`, 'table without tenant_id: fresh'],
  [`CREATE TABLE fresh (id uuid, tenant_id uuid)`, 'table without tenant_id: fresh'],
  [FRESH, 'row security not forced: fresh'],
  [FRESH, 'no policy with a check for the app: fresh'],
  [`${FRESH}; ALTER TABLE fresh ENABLE ROW LEVEL SECURITY`, 'row security not forced: fresh'],
  [
    `${FRESH}; CREATE POLICY p ON fresh TO agentflow_app USING (true)`,
    'no policy with a check for the app: fresh',
  ],
  [
    `${FRESH}; CREATE POLICY open ON fresh TO agentflow_app USING (true) WITH CHECK (true)`,
    'policy that does not ask for the tenant: open on fresh',
  ],
  [`CREATE POLICY open ON runs USING (true)`, 'policy that does not ask for the tenant: open on runs'],
  [
    `ALTER TABLE projects ADD CONSTRAINT uq UNIQUE (id);
     ALTER TABLE runs ADD CONSTRAINT fk_plain FOREIGN KEY (project_id) REFERENCES projects (id)`,
    'foreign key that does not carry the tenant along: fk_plain',
  ],
  [
    `${FRESH}; ALTER TABLE fresh ADD CONSTRAINT fk_crossed FOREIGN KEY (id, tenant_id)
       REFERENCES projects (tenant_id, id)`,
    'foreign key that does not carry the tenant along: fk_crossed',
  ],
  [`CREATE UNIQUE INDEX uq_plain ON agents (name)`, 'unique index without the tenant: uq_plain'],
  [`CREATE VIEW seen AS SELECT * FROM runs`, `view that shows its owner's rows: seen`],
  [
    `CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'`,
    'SECURITY DEFINER with a search_path of the caller: f()',
  ],
  [
    `CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS 'SELECT 1'`,
    'SECURITY DEFINER for everybody: f()',
  ],
  [`GRANT TRUNCATE ON runs TO agentflow_app`, 'grant that goes too far: TRUNCATE on runs to agentflow_app'],
  [`GRANT SELECT ON runs TO PUBLIC`, 'grant that goes too far: SELECT on runs to PUBLIC'],
  [
    `CREATE TABLE parts (tenant_id uuid NOT NULL) PARTITION BY HASH (tenant_id);
     CREATE TABLE part PARTITION OF parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
     GRANT SELECT ON part TO agentflow_app`,
    'grant that goes too far: SELECT on part to agentflow_app',
  ],
  [`RESET ROLE; ${FRESH}`, 'object of another owner: fresh'],
];

describe('the catalogue', () => {
  let database: TestDatabase;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await aDatabase();
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  it('[T17] keeps every rule about tenants in every table, key, index, view, function and grant', async () => {
    expect(await faults(admin)).toEqual([]);
  });

  it('[T17] takes a new table that keeps the rules', async () => {
    await admin.query('BEGIN; SET LOCAL ROLE agentflow_owner');
    await admin.query(`${FRESH}; ALTER TABLE fresh ${POLICED}`);
    await admin.query('CREATE VIEW seen WITH (security_invoker = true) AS SELECT * FROM fresh');
    expect(await faults(admin)).toEqual([]);
    await admin.query('ROLLBACK');
  });

  it.each(MISTAKES)('[T17] notices: %s', async (sql, fault) => {
    await admin.query('BEGIN; SET LOCAL ROLE agentflow_owner');
    await admin.query(sql);
    const found = await faults(admin);
    await admin.query('ROLLBACK');
    expect(found).toContain(fault);
  });
});
