import { RawJson } from '@agentflow/domain';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { GatheredStatements } from './gathered-statements.js';
import { inOneWrite } from './one-write.js';
import type { Scope } from './scope.js';
import type { Statement } from './statement.js';

/** What a statement binds; a payload goes as its own text. */
export type Parameter = string | number | boolean | null | undefined | RawJson | Buffer | readonly string[];

/** Statements that were begun, and what is known without one. */
type Begun<T extends readonly unknown[]> = { [K in keyof T]: Promise<T[K]> | T[K] };

/** Thrown by a work that cannot share its transaction; it is carried out again, alone. */
export class NeedsOwnTransaction extends Error {}

/**
 * An open transaction in an announced scope: the only way to the tables.
 *
 * It lives on one connection. Statements that do not need each other's answers may be issued without awaiting in
 * between (the connection pipelines), but never through another connection.
 */
export class Transaction {
  constructor(
    readonly scope: Scope,
    private readonly client: PoolClient,
    private readonly runner: QueryRunner,
    /** The client's own limit on one statement; it lies above the server's, for a server that fell silent. */
    private readonly queryTimeoutMs: number,
    /** Sends the commit; absent in a part of a transaction, which somebody else commits. */
    private readonly sendCommit: (() => Promise<void>) | undefined,
    /** The whole, when this is the part of one work among others, which know nothing of each other. */
    private readonly shared?: { whole: Transaction; statements: GatheredStatements },
    /** What `touch` has named, of the whole transaction. */
    readonly touched: Set<string> = new Set(),
  ) {}

  private committed: Promise<void> | undefined;

  /** A statement that was begun through this object has left rows behind. */
  hasWritten = false;

  /** A statement that was begun through this object failed, and the whole transaction with it. */
  hasFailed = false;

  /** The same transaction for a part of its work, which does not decide about its end. */
  part(): Transaction {
    return this.partOf(undefined);
  }

  /** The same transaction for each of several works that know nothing of each other. */
  parts(count: number): Transaction[] {
    const statements = new GatheredStatements();
    return Array.from({ length: count }, () => this.partOf({ whole: this, statements }));
  }

  private partOf(shared: Transaction['shared']): Transaction {
    const { scope, client, runner, queryTimeoutMs, touched } = this;
    return new Transaction(scope, client, runner, queryTimeoutMs, undefined, shared, touched);
  }

  /**
   * TypeORM on this transaction's connection, for configuration and identity: its query builders only, since
   * `save` would open a transaction of its own and write back what others changed meanwhile.
   */
  get entities(): EntityManager {
    return this.runner.manager;
  }

  /**
   * To be called before a decision that only a lock protects: the works of a group share their locks, so the work
   * begins anew in a transaction of its own.
   */
  needsOwn(): void {
    if (this.shared) throw new NeedsOwnTransaction();
  }

  /** Names something whose followers want to look when this is committed; to look in vain does no harm. */
  touch(id: string): void {
    this.touched.add(id);
  }

  /** Runs a prepared statement and answers its rows. */
  async rows<Row>(statement: Statement<Row>, values: readonly Parameter[] = []): Promise<Row[]> {
    return (await this.execute(statement, values)).rows as Row[];
  }

  /** The first row, if there is one. */
  async row<Row>(statement: Statement<Row>, values: readonly Parameter[] = []): Promise<Row | undefined> {
    return (await this.rows(statement, values))[0];
  }

  /** Runs a prepared statement for its effect; answers how many rows it touched. */
  async run(statement: Statement<never>, values: readonly Parameter[] = []): Promise<number> {
    return (await this.execute(statement, values)).rowCount ?? 0;
  }

  /**
   * Several statements in one round trip, carried out in the order in which they were begun: each sees what the
   * ones before it did and waited for. Only for statements that do not need each other's answers.
   */
  together<T extends readonly unknown[]>(...begun: Begun<T>): Promise<T> {
    return inOrder<T>(begun);
  }

  /**
   * As `together`, for the last statements of a transaction: the commit travels in the same round trip, and this
   * resolves when it is done. Nothing can be run afterwards.
   */
  async conclude<T extends readonly unknown[]>(...begun: Begun<T>): Promise<T> {
    const [results] = await inOrder<[T, void]>([this.together<T>(...begun), this.commit()]);
    return results;
  }

  /** Commits, once; what was written is durable when this resolves. */
  commit(): Promise<void> {
    this.committed ??= this.sendCommit?.() ?? Promise.resolve();
    return this.committed;
  }

  /** What a gathering does for this item; `gathered` calls it. */
  async gather<Item, Answer>(gathering: Gathering<Item, Answer>, item: Item): Promise<Answer> {
    if (!this.shared) return (await gathering.carryOut(this, [item]))[0] as Answer;
    const { whole, statements } = this.shared;
    return this.noted(
      (answer) => gathering.writes && answer !== undefined,
      statements.add(this, gathering, item, (items) => gathering.carryOut(whole, items)),
    );
  }

  private execute(statement: Statement<unknown>, values: readonly Parameter[]): Promise<QueryResult> {
    const writes = ({ rowCount }: QueryResult): boolean => !statement.reads && rowCount !== 0;
    if (!this.shared) return this.noted(writes, this.send(statement, values));
    const { whole, statements } = this.shared;
    // Works that read the same read it once.
    const key = statement.reads ? `${statement.name} ${JSON.stringify(values)}` : Symbol(statement.name);
    const all = statements.add(this, key, values, async (items) => {
      const answer = await whole.execute(statement, values);
      return items.map(() => answer);
    });
    return this.noted(writes, all);
  }

  /** Remembers whether a statement left something behind, and how it ended, before anybody hears of it. */
  private noted<T>(writes: (answer: T) => boolean, answer: Promise<T>): Promise<T> {
    return answer.then(
      (value) => {
        this.hasWritten ||= writes(value);
        return value;
      },
      (error: unknown) => {
        this.hasFailed = true;
        throw error;
      },
    );
  }

  private send(statement: Statement<unknown>, values: readonly Parameter[]): Promise<QueryResult> {
    if (this.committed && this.sendCommit)
      throw new Error(`${statement.name} comes after the end of its transaction`);
    inOneWrite(this.client);
    return this.client.query({
      name: statement.name,
      text: statement.text,
      values: values.map((value) => (value instanceof RawJson ? value.text : value)),
      query_timeout: this.queryTimeoutMs,
    } as QueryConfig);
  }
}

/**
 * All the answers; or the first failure in the order of the statements, which is the cause: the ones behind it fail
 * because the transaction is aborted, and may be heard of first.
 */
async function inOrder<T extends readonly unknown[]>(begun: Begun<T>): Promise<T> {
  const settled = await Promise.allSettled(begun);
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** One statement for many: what a statement that takes a set does for each of its items. */
export interface Gathering<Item, Answer> {
  /** It leaves rows behind for an item, where it has an answer for it. */
  readonly writes: boolean;
  /** Carries out all at once; the answers are in the order of the items. */
  carryOut(tx: Transaction, items: readonly Item[]): Promise<readonly Answer[]>;
}

/**
 * Makes a function for one item out of a statement for many. In a transaction of its own it carries out the one; the
 * works that share a transaction are gathered, and what they ask for at the same moment is carried out at once.
 */
export function gathered<Item, Answer>(
  gathering: Gathering<Item, Answer>,
): (tx: Transaction, item: Item) => Promise<Answer> {
  return (tx, item) => tx.gather(gathering, item);
}
