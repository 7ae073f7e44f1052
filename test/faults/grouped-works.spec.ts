import {
  APP_ROLE,
  connect,
  databaseFault,
  DEFAULT_LIMITS,
  gathered,
  organizationScope,
  sql,
  type Connected,
  type Transaction,
} from '@agentflow/database';
import { DomainError } from '@agentflow/domain';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';

const insert = sql<never>('insert-project', 'INSERT INTO projects (tenant_id, id, name) VALUES ($1, $2, $3)');
const hold = sql<{ id: string }>(
  'hold-project',
  'SELECT id FROM projects WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
);
const transactionId = sql<{ id: string }>('transaction-id', 'SELECT pg_current_xact_id()::text AS id');
const names = sql<{ name: string }>(
  'project-names',
  'SELECT name FROM projects WHERE tenant_id = $1 ORDER BY name',
);

describe('small works that share transactions', () => {
  const tenantId = randomUUID();
  const actor = { scope: organizationScope(tenantId) };
  let home: TestDatabase;
  let opened: Connected;

  beforeAll(async () => {
    home = await aDatabase();
    await connected(home.adminUrl, (client) =>
      client.query(`INSERT INTO organizations (id, slug, name) VALUES ($1, 'grouped', 'Grouped')`, [
        tenantId,
      ]),
    );
    opened = await connect({
      ...{ url: home.appUrl, size: 8, acquireTimeoutMs: 5_000, applicationName: 'grouped works' },
      ...{ role: APP_ROLE, limits: DEFAULT_LIMITS },
    });
  });
  afterAll(async () => {
    await opened.close();
    await home.drop();
  });
  afterEach(() => connected(home.adminUrl, (client) => client.query('DELETE FROM projects')));

  const grouped = <T>(lane: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    opened.database.grouped(actor, lane, work);
  const add = (tx: Transaction, name: string): Promise<number> =>
    tx.run(insert, [tenantId, randomUUID(), name]);
  const stored = async (): Promise<string[]> => {
    const [rows] = await opened.database.read(actor, (tx) => [tx.rows(names, [tenantId])]);
    return rows.map(({ name }) => name);
  };
  const everyone = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  it('Works that come at once share a transaction, and each gets its own answer after the commit', async () => {
    const answers = await Promise.all(
      everyone.map((name) =>
        grouped(name, async (tx) => {
          await add(tx, name);
          return { name, transaction: (await tx.row(transactionId))?.id };
        }),
      ),
    );
    expect(answers.map(({ name }) => name)).toEqual(everyone);
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
    expect(await stored()).toEqual(everyone);
  });

  it('A refusal is the refused one’s alone, before and after it has written', async () => {
    const refusal = new DomainError('id_conflict');
    const outcomes = await Promise.allSettled(
      everyone.map((name) =>
        grouped(name, async (tx) => {
          if (name === 'b') throw refusal;
          await add(tx, name);
          if (name === 'e') throw refusal;
          return name;
        }),
      ),
    );
    const refused = outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [everyone[i]] : []));
    expect(refused).toEqual(['b', 'e']);
    expect(outcomes[1]).toMatchObject({ reason: refusal });
    expect(await stored()).toEqual(['a', 'c', 'd', 'f', 'g', 'h']);
  });

  it('A statement that Postgres refuses fails its own work and no other', async () => {
    const outcomes = await Promise.allSettled(
      everyone.map((name) => grouped(name, (tx) => add(tx, name === 'c' ? 'a' : name))),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { constraint: 'uq_projects_tenant_name' } },
    ]);
    expect(await stored()).toEqual(everyone.filter((name) => name !== 'c'));
  });

  it('Works of one lane are carried out one after the other, in the order in which they came', async () => {
    let under = 0;
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        grouped(i % 2 === 0 ? 'even' : 'odd', async (tx) => {
          if (i % 2 === 0) expect(++under).toBe(1);
          await add(tx, `p${i}`);
          await tx.row(transactionId);
          if (i % 2 === 0) under--;
          order.push(i);
        }),
      ),
    );
    expect(order.filter((i) => i % 2 === 0)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(order.filter((i) => i % 2 === 1)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  });

  it('A work that needs a transaction of its own gets one, and the others keep theirs', async () => {
    const transactions = await Promise.all(
      everyone.map((name) =>
        grouped(name, async (tx) => {
          if (name === 'd') tx.needsOwn();
          await add(tx, name);
          return (await tx.row(transactionId))?.id;
        }),
      ),
    );
    expect(new Set(transactions).size).toBe(2);
    expect(transactions.filter((id) => id === transactions[3])).toHaveLength(1);
    expect(await stored()).toEqual(everyone);
  });

  it('A lock that somebody else holds delays the one who needs it', async () => {
    const id = randomUUID();
    await opened.database.transaction(actor, (tx) => tx.run(insert, [tenantId, id, 'held']));
    const holder = new pg.Client({ connectionString: home.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [id]);
    const late = grouped('late', async (tx) => {
      await tx.row(hold, [tenantId, id]);
      return add(tx, 'late');
    });
    await Promise.all(everyone.map((name) => grouped(name, (tx) => add(tx, name))));
    expect(await stored()).toEqual([...everyone, 'held']);
    await holder.query('ROLLBACK');
    await holder.end();
    await late;
    expect(await stored()).toContain('late');
  });

  it('What they ask for at the same moment is carried out at once, behind what each began before', async () => {
    const carriedOut: string[] = [];
    const gathering = (kind: string) =>
      gathered<string, string>({
        writes: false,
        carryOut: async (tx, items) => {
          carriedOut.push(`${kind} ${items.join()}`);
          await tx.row(transactionId);
          return items.map((item) => `${kind} of ${item}`);
        },
      });
    const [first, second, other] = [gathering('first'), gathering('second'), gathering('other')];
    const answers = await Promise.all([
      grouped('a', (tx) => tx.together(first(tx, 'a'), second(tx, 'a'))),
      grouped('b', (tx) => tx.together(first(tx, 'b'), second(tx, 'b'))),
      grouped('c', (tx) => tx.together(other(tx, 'c'), second(tx, 'c'))),
      grouped('d', (tx) => tx.together(second(tx, 'd'), first(tx, 'd'))),
    ]);
    expect(answers).toEqual([
      ['first of a', 'second of a'],
      ['first of b', 'second of b'],
      ['other of c', 'second of c'],
      ['second of d', 'first of d'],
    ]);
    const places = (what: string): number => carriedOut.findIndex((entry) => entry.startsWith(what));
    expect(carriedOut).toContain('first a,b');
    expect(carriedOut).toContain('second a,b,d');
    expect(places('other')).toBeLessThan(places('second c'));
    expect(places('first d')).toBeGreaterThan(places('second'));
  });

  it('When the connection is lost before the commit, all are carried out again, once', async () => {
    let isFirst = true;
    let killed: unknown;
    await Promise.all(
      everyone.map((name) =>
        grouped(name, async (tx) => {
          await add(tx, name);
          if (isFirst) {
            isFirst = false;
            const [row] = await tx.rows(sql<{ pid: number }>('my-process', 'SELECT pg_backend_pid() AS pid'));
            const kill = 'SELECT pg_terminate_backend($1, 10000) AS killed';
            killed = await connected(home.adminUrl, async (client) => {
              const { rows } = await client.query<{ killed: boolean }>(kill, [row?.pid]);
              return rows[0]?.killed;
            });
            await tx.row(transactionId);
          }
        }),
      ),
    );
    expect(killed).toBe(true);
    expect(await stored()).toEqual(everyone);
  });

  it('Nobody waits for a lane longer than for a lock, also while the one before is under way', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const impatient = await connect({
      ...{ url: home.appUrl, size: 2, acquireTimeoutMs: 5_000, applicationName: 'impatient works' },
      ...{ role: APP_ROLE, limits: { ...DEFAULT_LIMITS, lockTimeoutMs: 200 } },
    });
    const order: string[] = [];
    const first = impatient.database.grouped(actor, 'lane', () => gate).then(() => order.push('first'));
    const second = impatient.database.grouped(actor, 'lane', (tx) => add(tx, 'second'));
    const refused = await second.catch((error: unknown) => error);
    order.push('second');
    expect(databaseFault(refused)).toBe('timeout');
    release();
    await first;
    expect(order).toEqual(['second', 'first']);
    expect(await stored()).toEqual([]);
    await impatient.close();
  });
});
