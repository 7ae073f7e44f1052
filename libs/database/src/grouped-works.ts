import type { Actor } from './actor.js';
import type { Database } from './database.js';
import type { Scope } from './scope.js';
import { NeedsOwnTransaction, type Transaction } from './transaction.js';

/** How many works share one transaction at most. */
const MOST_TOGETHER = 32;
/** How many transactions of one scope are under way at once: while Postgres carries one out, we prepare the next. */
const MOST_AT_ONCE = 2;
/** A group does not wait long for a lock that somebody else holds: its works then go on alone, and only one waits. */
const LOCK_TIMEOUT_MS = 100;

type Work<T = unknown> = (tx: Transaction) => Promise<T>;

interface Waiting {
  actor: Pick<Actor, 'scope'>;
  lane: string;
  work: Work;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Says that what a group wrote cannot stay, and that each of its works has to be carried out alone. */
class NotTogether extends Error {}

/**
 * Lets small works of one scope that arrive at about the same time share a transaction: one announcement, one commit
 * and few writes on the connection for all of them. Each work still gets its own answer or its own refusal.
 *
 * Works of one lane never share a transaction, nor run at once from here, since a row lock does not hold one part of
 * a transaction against another. Within a group they begin in the order of their lanes, which is the order in which
 * they take locks, so two groups do not deadlock.
 */
export class GroupedWorks {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly database: Database) {}

  /** Resolves when the work is committed, and rejects with what it threw, as a transaction of its own would. */
  add<T>(actor: Pick<Actor, 'scope'>, lane: string, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting = { actor, lane, work, resolve: resolve as Waiting['resolve'], reject };
      this.queueOf(actor.scope).add(waiting);
    });
  }

  private queueOf(scope: Scope): Queue {
    const name = `${scope.kind}:${scope.agentId ?? scope.projectId ?? scope.tenantId}`;
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(this.database, () => this.queues.delete(name));
      this.queues.set(name, queue);
    }
    return queue;
  }
}

/** The works of one scope. */
class Queue {
  private waiting: Waiting[] = [];
  private readonly busy = new Set<string>();
  private running = 0;
  private isCalled = false;

  constructor(
    private readonly database: Database,
    private readonly onEmpty: () => void,
  ) {}

  add(work: Waiting): void {
    this.waiting.push(work);
    this.call();
  }

  /** What arrives in this turn of the event loop goes together. */
  private call(): void {
    if (this.isCalled || this.running === MOST_AT_ONCE) return;
    this.isCalled = true;
    setImmediate(() => {
      this.isCalled = false;
      void this.depart();
    });
  }

  private async depart(): Promise<void> {
    const group = this.next();
    if (group.length === 0) return;
    this.running++;
    await this.carryOut(group);
    this.running--;
    for (const { lane } of group) this.busy.delete(lane);
    if (this.waiting.length > 0) this.call();
    else if (this.running === 0) this.onEmpty();
  }

  /** The works that have waited longest, one of each lane that is free; the others keep their order. */
  private next(): Waiting[] {
    const group: Waiting[] = [];
    this.waiting = this.waiting.filter((work) => {
      if (group.length === MOST_TOGETHER || this.busy.has(work.lane)) return true;
      this.busy.add(work.lane);
      group.push(work);
      return false;
    });
    if (this.waiting.some(({ lane }) => !this.busy.has(lane))) this.call();
    return group.sort((a, b) => (a.lane < b.lane ? -1 : 1));
  }

  private async carryOut(group: Waiting[]): Promise<void> {
    if (group.length === 1) return this.alone(group[0] as Waiting);
    const outcomes = await this.together(group).catch((error: unknown) =>
      group.map(() => ({ status: 'rejected' as const, reason: error })),
    );
    await Promise.all(outcomes.map((outcome, i) => this.answer(group[i] as Waiting, outcome)));
  }

  private async answer(waiting: Waiting, outcome: PromiseSettledResult<unknown>): Promise<void> {
    if (outcome.status === 'fulfilled') return waiting.resolve(outcome.value);
    const isToBeRepeated =
      outcome.reason instanceof NotTogether || outcome.reason instanceof NeedsOwnTransaction;
    return isToBeRepeated ? this.alone(waiting) : waiting.reject(outcome.reason);
  }

  private alone({ actor, work, resolve, reject }: Waiting): Promise<void> {
    return this.database.transaction(actor, work).then(resolve, reject);
  }

  /** The outcome of each; `NotTogether` when one of them leaves something behind that has to be rolled back. */
  private async together(group: Waiting[]): Promise<PromiseSettledResult<unknown>[]> {
    const { actor } = group[0] as Waiting;
    let isGood = true;
    const work = async (tx: Transaction): Promise<PromiseSettledResult<unknown>[]> => {
      const parts = tx.parts(group.length);
      const outcomes = await Promise.allSettled(
        group.map((waiting, i) => waiting.work(parts[i] as Transaction)),
      );
      isGood = parts.every(
        ({ hasFailed, hasWritten }, i) => !hasFailed && (!hasWritten || outcomes[i]?.status === 'fulfilled'),
      );
      if (!isGood) throw new NotTogether();
      return outcomes;
    };
    try {
      return await this.database.transaction(actor, work, { lockTimeoutMs: LOCK_TIMEOUT_MS });
    } catch (error) {
      // Where the connection broke, that is what the transaction reports; nothing was committed all the same.
      throw isGood ? error : new NotTogether();
    }
  }
}
