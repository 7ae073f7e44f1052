import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { databaseFault } from './postgres-error.js';
import type { Actor } from './actor.js';
import { GroupedWorks } from './grouped-works.js';
import { inOneWrite } from './one-write.js';
import type { Scope } from './scope.js';
import { sql, type Statement } from './statement.js';
import { Transaction } from './transaction.js';

/** How long a transaction may take, in milliseconds. */
export interface TransactionLimits {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleTimeoutMs: number;
  /** All statements see one moment, and write nothing. */
  isSnapshot?: boolean;
}

export const DEFAULT_LIMITS: TransactionLimits = {
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 3_000,
  idleTimeoutMs: 10_000,
};

const begin = sql<never>('begin', 'BEGIN');
const beginSnapshot = sql<never>('begin-snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');

/**
 * Announces who acts, for this transaction only: `SET LOCAL` semantics survive neither COMMIT nor ROLLBACK, so
 * nothing leaks into the connection's next use, and a pooler in transaction mode may stand in between. Every statement
 * is planned once a connection: none has parameters that would call for another plan, and planning took as long as
 * carrying out. Plans go by index and row by row, whatever a table held when they were made.
 */
const announce = sql<never>(
  'announce-scope',
  `SELECT set_config('role', $1, true), set_config('agentflow.tenant_id', $2, true),
     set_config('agentflow.scope', $3, true), set_config('agentflow.project_id', $4, true),
     set_config('agentflow.agent_id', $5, true), set_config('statement_timeout', $6, true),
     set_config('lock_timeout', $7, true), set_config('idle_in_transaction_session_timeout', $8, true),
     set_config('timezone', 'UTC', true), set_config('plan_cache_mode', 'force_generic_plan', true),
     set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true)`,
);

const assume = sql<never>(
  'assume-role',
  `SELECT set_config('role', $1, true), set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, true),
     set_config('timezone', 'UTC', true)`,
);

const MAX_ATTEMPTS = 4;

/** How much longer than the server the client waits before it gives a silent server up. */
const SILENCE_MS = 3_000;

const ignore = (): void => undefined;

/** The one helper that opens transactions. */
export class Database {
  private readonly groups: GroupedWorks;

  /** Hears of what every committed transaction has touched, and whose it was: the tenant's id is among the ids. */
  onTouched: ((ids: ReadonlySet<string>) => void) | undefined;

  constructor(
    private readonly dataSource: DataSource,
    /** The role to act as, or `none` to stay the one that logged in. */
    private readonly role: string,
    private readonly limits: TransactionLimits = DEFAULT_LIMITS,
  ) {
    this.groups = new GroupedWorks(this, limits.lockTimeoutMs);
  }

  /**
   * Runs `work` in one transaction on one connection, in the actor's scope, and commits; anything thrown rolls it
   * back and is thrown on. A deadlock or a serialization failure repeats the whole of `work`, three times at
   * most, so `work` must not keep state outside. An actor who is within a transaction already stays in it.
   */
  async transaction<T>(
    actor: Pick<Actor, 'scope' | 'within'>,
    work: (tx: Transaction) => Promise<T>,
    limits: Partial<TransactionLimits> = {},
  ): Promise<T> {
    if (actor.within) return work(actor.within.part());
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(actor.scope, work, { ...this.limits, ...limits });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || databaseFault(error) !== 'retryable') throw error;
        await delay(attempt * 10 * (0.5 + Math.random()));
      }
    }
  }

  /**
   * As `transaction`, for a small work that may share its transaction with others of its scope. Works of one `lane`
   * (what it locks, such as the id of a run) are carried out one after the other.
   */
  grouped<T>(
    actor: Pick<Actor, 'scope' | 'within'>,
    lane: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return actor.within ? work(actor.within.part()) : this.groups.add(actor, lane, work);
  }

  /**
   * Reads in one round trip: the transaction is opened, the statements that `start` begins are carried out, and it
   * is closed, without waiting in between.
   */
  read<T extends readonly unknown[]>(
    actor: Pick<Actor, 'scope' | 'within'>,
    start: (tx: Transaction) => { [K in keyof T]: Promise<T[K]> },
  ): Promise<T> {
    return this.transaction(actor, (tx) => tx.conclude<T>(...start(tx)));
  }

  /** Several reads that see one moment: the acts of the actor that `work` gets are part of them. */
  snapshot<T>(actor: Actor, work: (actor: Actor) => Promise<T>): Promise<T> {
    const within = (tx: Transaction): Promise<T> => work({ ...actor, within: tx });
    return this.transaction(actor, within, { isSnapshot: true });
  }

  /** Runs one statement outside every scope: row security shows it nothing, so it serves functions only. */
  async unscoped<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    const client = await pool.connect();
    // The pool listens to idle connections only, and an error that nobody listens to would end the process.
    client.on('error', ignore);
    try {
      const rows = await this.alone(client, statement, values);
      client.release();
      return rows;
    } catch (error) {
      client.release(true); // It may be in the middle of anything.
      throw error;
    } finally {
      client.off('error', ignore);
    }
  }

  private async alone<Row>(client: PoolClient, statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
    const { statementTimeoutMs, lockTimeoutMs } = this.limits;
    const query_timeout = statementTimeoutMs + SILENCE_MS;
    inOneWrite(client);
    const [, , result] = await Promise.all([
      client.query(begin),
      client.query({ ...assume, values: [this.role, String(statementTimeoutMs), String(lockTimeoutMs)] }),
      client.query<Row & QueryResultRow>({ ...statement, values, query_timeout } as QueryConfig),
      client.query({ text: 'COMMIT', query_timeout } as QueryConfig),
    ]);
    return result.rows;
  }

  private async attempt<T>(
    scope: Scope,
    work: (tx: Transaction) => Promise<T>,
    limits: TransactionLimits,
  ): Promise<T> {
    const announcement = this.announcement(scope, limits); // without a scope, nothing is even connected
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    inOneWrite(client);
    const opened = Promise.all([
      client.query(limits.isSnapshot ? beginSnapshot : begin),
      client.query({ ...announce, values: announcement }),
    ]);
    opened.catch(ignore); // reported below, with the work's own failure being its consequence
    let lost: Error | undefined;
    const onLost = (error: Error): void => void (lost ??= error);
    client.on('error', onLost);
    try {
      const tx = new Transaction(scope, client, runner, limits.statementTimeoutMs + SILENCE_MS, () =>
        commit(client),
      );
      const result = await work(tx);
      await opened;
      await tx.commit();
      await runner.release();
      if (tx.touched.size > 0) this.onTouched?.(new Set(tx.touched).add(scope.tenantId));
      return result;
    } catch (error) {
      const cause = await opened.then(
        () => error,
        (reason: unknown) => reason,
      );
      await abandon(runner, client);
      throw lost ?? cause;
    } finally {
      client.off('error', onLost);
    }
  }

  private announcement(scope: Scope, limits: TransactionLimits): string[] {
    if (typeof scope?.tenantId !== 'string') throw new TypeError('a transaction needs the scope of a tenant');
    return [
      this.role,
      scope.tenantId,
      scope.kind,
      scope.projectId ?? '',
      scope.agentId ?? '',
      String(limits.statementTimeoutMs),
      String(limits.lockTimeoutMs),
      String(limits.idleTimeoutMs),
    ];
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('a statement of the transaction failed unnoticed');
}

/** Rolls back and gives the connection back; one that cannot even roll back is destroyed. */
async function abandon(runner: QueryRunner, client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
  } catch (error) {
    await (
      runner as QueryRunner & { releasePostgresConnection(error: unknown): Promise<void> }
    ).releasePostgresConnection(error);
    return;
  }
  await runner.release();
}
