import { randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { announce, aWorld, insert, scopeOf, type World } from '../support/rows.js';

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  /** Pairs of columns, the tenant's first; the last is what the reference names. */
  own: string[];
  referenced: string[];
}

/** Columns that some other foreign key looks at; nothing requires them. */
const LOOSE = [
  'step_id',
  'parent_step_id',
  'tool_call_id',
  'from_checkpoint_id',
  'rotated_from',
  'created_by',
  'external_id',
];

/** New values for whatever is unique, so that nothing but the reference can be at fault. */
function fresh(row: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {
    ...{
      id: randomUUID(),
      public_id: randomUUID(),
      name: randomUUID(),
      key: randomUUID(),
      model: randomUUID(),
    },
    ...{
      index: randomInt(1_000, 2 ** 31),
      seq: randomInt(1_000, 2 ** 31),
      version: randomInt(1_000, 2 ** 31),
    },
  };
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, values[column] ?? value]));
}

/** References that a trigger keeps for a whole statement, and a foreign key by its promises. */
const BY_STATEMENT: ForeignKey[] = ['messages', 'run_events'].map((child) => ({
  name: `fk_${child}_run`,
  ...{ child, parent: 'runs', own: ['tenant_id', 'run_id'], referenced: ['tenant_id', 'id'] },
}));

describe('references', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let world: World;
  let references: ForeignKey[];

  beforeAll(async () => {
    database = await aDatabase();
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    world = await aWorld(admin);
    const { rows } = await admin.query<ForeignKey>(
      `SELECT conname AS name, conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
         ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (num, position)
           JOIN pg_attribute ON attrelid = conrelid AND attnum = num ORDER BY position) AS own,
         ARRAY(SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS k (num, position)
           JOIN pg_attribute ON attrelid = confrelid AND attnum = num ORDER BY position) AS referenced
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`,
    );
    references = [...rows, ...BY_STATEMENT];
  });

  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  /** A row of the first agent's that has the reference, and nothing else that could be at fault. */
  async function aReferringRow({ name, child, own }: ForeignKey): Promise<Record<string, unknown>> {
    const present = own.map((column) => `${column} IS NOT NULL`).join(' AND ');
    const run = child === 'runs' ? 'id' : own.includes('run_id') ? 'run_id' : '$2';
    const { rows } = await admin.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(t) AS row FROM ${child} t WHERE tenant_id = $1 AND ${run} = $2::uuid AND ${present} LIMIT 1`,
      [world.own.tenantId, world.own.runId],
    );
    const found = rows[0]?.row as Record<string, unknown>;
    const row = fresh(found);
    for (const column of LOOSE) if (column in row && !own.includes(column)) row[column] = null;
    if (name === 'fk_api_keys_rotated_from') row.rotated_from = found.id; // a key has one successor
    if (child === 'deleted_runs') row.run_id = randomUUID();
    if (child === 'bulk_actions') row.created_by = found.created_by; // no reference: keys go
    if (['fk_api_keys_organization', 'fk_bulk_actions_organization'].includes(name)) {
      Object.assign(row, { scope: 'organization', project_id: null, agent_id: null });
    }
    return row;
  }

  /** The id of some parent that meets a condition. */
  async function aParent(
    { parent, referenced }: ForeignKey,
    condition: string,
    value: unknown,
  ): Promise<unknown> {
    const { rows } = await admin.query<{ id: unknown }>(
      `SELECT ${referenced.at(-1)} AS id FROM ${parent} WHERE ${condition} LIMIT 1`,
      [value],
    );
    return rows[0]?.id;
  }

  /** Inserts as the superuser, whom no policy holds back, and answers which constraint refused. */
  async function refusedBy(table: string, row: Record<string, unknown>): Promise<string> {
    await admin.query('BEGIN');
    try {
      const text = `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`;
      await admin.query(text, [JSON.stringify(row)]);
      return 'nothing';
    } catch (error) {
      const { code, constraint } = error as pg.DatabaseError;
      return code === '23503' ? `${constraint}` : String(error);
    } finally {
      await admin.query('ROLLBACK');
    }
  }

  it('[T4] take the rows that this test starts from', async () => {
    expect(references.length).toBeGreaterThan(22);
    for (const key of references) {
      const row = await aReferringRow(key);
      expect({ [key.name]: await refusedBy(key.child, row) }).toEqual({ [key.name]: 'nothing' });
    }
  });

  it('[T4] refuse the id of a parent in another organization, each of them', async () => {
    for (const key of references) {
      const row = await aReferringRow(key);
      const column = key.own.at(-1) as string;
      const foreign = world.foreign.tenantId;
      row[column] = column === 'tenant_id' ? randomUUID() : await aParent(key, 'tenant_id = $1', foreign);
      expect({ [key.name]: await refusedBy(key.child, row) }).toEqual({ [key.name]: key.name });
    }
  });

  it('[S10] refuse the id of a step or a checkpoint in another run, each of them', async () => {
    const withinRun = references.filter(({ referenced }) => referenced.includes('run_id'));
    expect(withinRun.map(({ name }) => name)).toEqual([
      'fk_approvals_step',
      'fk_checkpoints_step',
      'fk_messages_step',
      'fk_runs_from_checkpoint',
      'fk_steps_parent',
      'fk_tool_calls_step',
    ]);
    for (const key of withinRun) {
      const row = await aReferringRow(key);
      row[key.own.at(-1) as string] = await aParent(key, 'run_id = $1', world.siblingAgent.runId);
      expect({ [key.name]: await refusedBy(key.child, row) }).toEqual({ [key.name]: key.name });
    }
  });

  describe.each(BY_STATEMENT)('$name', (reference) => {
    /** A row of a run that nothing else refers to. */
    async function aRowOfNewRun(): Promise<{ runId: string; row: Record<string, unknown> }> {
      const { tenantId: tenant_id, projectId: project_id, agentId: agent_id } = world.own;
      const runId = randomUUID();
      const pinned = { project_id, agent_id, agent_version: 1, adapter: 'langgraph' };
      await insert(admin, 'runs', { tenant_id, id: runId, ...pinned, status: 'running' });
      return { runId, row: { ...(await aReferringRow(reference)), run_id: runId } };
    }

    const add = (client: pg.Client, ...rows: object[]) =>
      client.query(
        `INSERT INTO ${reference.child} SELECT * FROM json_populate_recordset(NULL::${reference.child}, $1)`,
        [JSON.stringify(rows)],
      );
    const REFUSED = { code: '23503', table: reference.child, constraint: reference.name };

    async function rowsOf(runId: string): Promise<number> {
      const { rows } = await admin.query(`SELECT FROM ${reference.child} WHERE run_id = $1`, [runId]);
      return rows.length;
    }

    async function untilItWaits(pid: number): Promise<void> {
      const waiting = `SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`;
      while ((await admin.query(waiting, [pid])).rowCount === 0);
    }

    /** What the second of two transactions comes to; the first ends when the second waits for it. */
    async function inTurn<T>(
      first: (client: pg.Client) => Promise<unknown>,
      second: (client: pg.Client) => Promise<T>,
    ): Promise<T> {
      return connected(database.adminUrl, (holder) =>
        connected(database.adminUrl, async (waiter) => {
          await holder.query('BEGIN');
          await first(holder);
          const { rows } = await waiter.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          const [outcome] = await Promise.all([
            second(waiter),
            untilItWaits(rows[0]?.pid as number).then(() => holder.query('COMMIT')),
          ]);
          return outcome;
        }),
      );
    }

    it('[T4] refuses a whole statement for one row of many', async () => {
      const { runId, row } = await aRowOfNewRun();
      const bad = { ...fresh(row), run_id: randomUUID() };
      await expect(add(admin, fresh(row), bad, fresh(row))).rejects.toMatchObject(REFUSED);
      expect(await rowsOf(runId)).toBe(0);
      await add(admin, fresh(row), fresh(row));
      expect(await rowsOf(runId)).toBe(2);
    });

    it.each(['agentflow_app', 'agentflow_worker'])(
      '[T4] a run takes its rows along, and nobody else’s, when %s deletes it',
      async (role) => {
        const [{ runId, row }, other] = [await aRowOfNewRun(), await aRowOfNewRun()];
        await add(admin, fresh(row), fresh(row), fresh(other.row));
        await admin.query('BEGIN');
        await announce(admin, scopeOf(world.own, 'organization'));
        await admin.query(`SET LOCAL ROLE ${role}`);
        const { rowCount } = await admin.query('DELETE FROM runs WHERE id = $1', [runId]);
        await admin.query('COMMIT');
        expect([rowCount, await rowsOf(runId), await rowsOf(other.runId)]).toEqual([1, 0, 1]);
      },
    );

    it('[T4] who writes while the run is being deleted waits, and is refused', async () => {
      const { runId, row } = await aRowOfNewRun();
      const late = inTurn(
        (client) => client.query('DELETE FROM runs WHERE id = $1', [runId]),
        (client) => add(client, fresh(row)),
      );
      await expect(late).rejects.toMatchObject(REFUSED);
      expect(await rowsOf(runId)).toBe(0);
    });

    it('[T4] who deletes the run waits for who writes, and takes along what was written', async () => {
      const { runId, row } = await aRowOfNewRun();
      const { rowCount } = await inTurn(
        (client) => add(client, fresh(row)),
        (client) => client.query('DELETE FROM runs WHERE id = $1', [runId]),
      );
      expect([rowCount, await rowsOf(runId)]).toEqual([1, 0]);
    });
  });
});
