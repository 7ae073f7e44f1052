import type { Actor } from './actor.js';
import { LaneBusy } from './lane-busy.js';
import { isLockTimeout } from './postgres-error.js';
import type { Scope } from './scope.js';
import { NeedsOwnTransaction, type Transaction } from './transaction.js';

/** How many works share one transaction at most. */
const MOST_TOGETHER = 32;
/** How many transactions of one scope are under way at once: one is read, one carried out, one written to the disk. */
const MOST_AT_ONCE = 3;
/** Nobody here waits longer for a lock that somebody else holds; who needs it goes on alone, beside the others. */
const LOCK_TIMEOUT_MS = 100;

/** How long works gather while others are under way: the more go together, the less each costs. */
const GATHERING_MS = 2;

type Work<T = unknown> = (tx: Transaction) => Promise<T>;

/** What carries out a work in a transaction of its own. */
interface Transactions {
  transaction<T>(actor: Pick<Actor, 'scope'>, work: Work<T>, limits?: { lockTimeoutMs: number }): Promise<T>;
}

interface Waiting {
  /** When it came, on the process's own clock. */
  since: number;
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
 * a transaction against another. Within a group they begin in the order of their lanes, which is mostly the order
 * in which they take locks: two groups that wait for each other all the same go on alone.
 */
export class GroupedWorks {
  private readonly queues = new Map<string, Queue>();

  constructor(
    private readonly database: Transactions,
    /** How long a work may wait for its lane. */
    private readonly patienceMs: number,
  ) {}

  /** Resolves when the work is committed, and rejects with what it threw, as a transaction of its own would. */
  add<T>(actor: Pick<Actor, 'scope'>, lane: string, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      const waiting = { since, actor, lane, work, resolve: resolve as Waiting['resolve'], reject };
      this.queueOf(actor.scope).add(waiting);
    });
  }

  private queueOf(scope: Scope): Queue {
    const name = [scope.tenantId, scope.kind, scope.projectId, scope.agentId].join();
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(this.database, this.patienceMs, () => this.queues.delete(name));
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
  private isWatched = false;

  constructor(
    private readonly database: Transactions,
    private readonly patienceMs: number,
    private readonly onEmpty: () => void,
  ) {}

  add(work: Waiting): void {
    this.waiting.push(work);
    this.call();
    this.watch();
  }

  /** Who has waited for its turn as long as one may wait for a lock is told so. */
  private watch(): void {
    const [oldest] = this.waiting;
    if (this.isWatched || !oldest) return;
    this.isWatched = true;
    const refuse = (): void => {
      this.isWatched = false;
      const limit = performance.now() - this.patienceMs;
      const late = this.waiting.filter(({ since }) => since <= limit);
      this.waiting = this.waiting.filter((work) => !late.includes(work));
      for (const work of late) work.reject(new LaneBusy(`waited for ${this.patienceMs} ms`));
      this.watch();
    };
    setTimeout(refuse, oldest.since + this.patienceMs - performance.now()).unref();
  }

  /** What arrives in this turn of the event loop goes together, and what arrives a little later where others run. */
  private call(): void {
    if (this.isCalled || this.running >= MOST_AT_ONCE) return;
    this.isCalled = true;
    const start = (): void => {
      this.isCalled = false;
      void this.depart();
    };
    if (this.running === 0) setImmediate(start);
    else setTimeout(start, GATHERING_MS);
  }

  private async depart(): Promise<void> {
    this.running++;
    const group = this.next();
    const left = await this.carryOut(group);
    this.running--;
    for (const work of group) if (!left.includes(work)) this.busy.delete(work.lane);
    for (const work of left) void this.alone(work);
    this.goOn();
  }

  private goOn(): void {
    if (this.waiting.some(({ lane }) => !this.busy.has(lane))) this.call();
    else if (this.waiting.length === 0 && this.busy.size === 0) this.onEmpty();
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

  /** Answers all but those that have to go on alone, which it returns. */
  private async carryOut(group: Waiting[]): Promise<Waiting[]> {
    if (group.length === 0) return [];
    const outcomes = await this.together(group).catch((error: unknown) =>
      group.map(() => ({ status: 'rejected' as const, reason: error })),
    );
    return group.filter(({ resolve, reject }, i) => {
      const outcome = outcomes[i] as PromiseSettledResult<unknown>;
      if (outcome.status === 'fulfilled') resolve(outcome.value);
      else if (outcome.reason instanceof NotTogether || outcome.reason instanceof NeedsOwnTransaction)
        return true;
      else reject(outcome.reason);
      return false;
    });
  }

  /** In a transaction of its own, for as long as it takes, while others of this scope go on. */
  private async alone({ actor, lane, work, resolve, reject }: Waiting): Promise<void> {
    await this.database.transaction(actor, work).then(resolve, reject);
    this.busy.delete(lane);
    this.goOn();
  }

  /** The outcome of each; `NotTogether` when one of them leaves something behind that has to be rolled back. */
  private async together(group: Waiting[]): Promise<PromiseSettledResult<unknown>[]> {
    const { actor, work: only } = group[0] as Waiting;
    if (group.length === 1) return this.first(actor, only);
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

  /** A single work, which goes on alone when it has to wait for a lock. */
  private async first(actor: Waiting['actor'], work: Work): Promise<PromiseSettledResult<unknown>[]> {
    try {
      const value = await this.database.transaction(actor, work, { lockTimeoutMs: LOCK_TIMEOUT_MS });
      return [{ status: 'fulfilled', value }];
    } catch (error) {
      throw isLockTimeout(error) ? new NotTogether() : error;
    }
  }
}
