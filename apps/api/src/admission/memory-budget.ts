import { DomainError } from '@agentflow/domain';

/** After how long without a byte what a client said that it would send is free for others. */
const PATIENCE_MS = 1_000;

/**
 * How many bytes of batches may be under way at once: what is received, and what it inflates to. An organization may have
 * one batch of any size that there is room for, and several only while as much as they take is left to others: nobody takes
 * all of it, whatever he sends or does not send.
 */
export class MemoryBudget {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  private readonly promising = new Set<Share>();

  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A share for one request, with nothing in it. */
  shareFor(holder: string): Share {
    return new Share(this, holder);
  }

  /** How much is taken now, by all together. */
  get bytesUnderWay(): number {
    return this.used;
  }

  /** Takes so many bytes for a share; throws when there are no more. */
  take(share: Share, bytes: number): void {
    if (!this.hasRoom(share, bytes)) this.breakPromises(share);
    if (!this.hasRoom(share, bytes)) {
      throw new DomainError('unavailable', { detail: 'Too many bytes of batches are under way.' });
    }
    this.add(share, bytes);
  }

  give(share: Share, bytes: number): void {
    this.add(share, -bytes);
  }

  /** Notes when a share heard from its client, or that it waits for nothing any more. */
  await(share: Share, isWaiting: boolean): void {
    share.heardAt = this.now();
    if (isWaiting) this.promising.add(share);
    else this.promising.delete(share);
  }

  private hasRoom({ holder, bytes: own }: Share, bytes: number): boolean {
    // One batch alone always has room, however large it may be.
    if (this.used === own) return true;
    const left = this.mostBytes - this.used - bytes;
    const others = (this.usedBy.get(holder) ?? 0) - own;
    return left >= (others === 0 ? 0 : others + own + bytes);
  }

  private breakPromises(but: Share): void {
    const before = this.now() - PATIENCE_MS;
    for (const share of this.promising) {
      if (share !== but && share.heardAt <= before) share.breakPromise();
    }
  }

  private add(share: Share, bytes: number): void {
    share.bytes += bytes;
    this.used += bytes;
    const ofHolder = (this.usedBy.get(share.holder) ?? 0) + bytes;
    if (ofHolder === 0) this.usedBy.delete(share.holder);
    else this.usedBy.set(share.holder, ofHolder);
  }
}

/** What one request has taken. It is given back once, and nothing can be taken afterwards. */
export class Share {
  /** What it has of the budget now, which counts it. */
  bytes = 0;
  heardAt = 0;
  /** Of these bytes, what the client said that it would send, and has not. */
  private promised = 0;
  private isOver = false;
  private isAtWork = false;

  constructor(
    private readonly budget: MemoryBudget,
    readonly holder: string,
  ) {}

  /** Takes so many bytes; throws when there are no more, or the request is over. */
  take(bytes: number): void {
    if (this.isOver) throw new DomainError('unavailable', { detail: 'The request is over.' });
    this.budget.take(this, bytes);
  }

  /** Takes what the client says that it will send; while nothing comes of it, others may have it. */
  promise(bytes: number): void {
    this.take(bytes);
    this.setPromised(bytes);
  }

  /** Counts what has come. */
  receive(bytes: number): void {
    const kept = Math.min(this.promised, bytes);
    if (bytes > kept) this.take(bytes - kept);
    this.setPromised(this.promised - kept);
  }

  breakPromise(): void {
    this.budget.give(this, this.promised);
    this.setPromised(0);
  }

  /** The body is there and is worked on: who leaves now does not end that. */
  beginWork(): void {
    this.isAtWork = true;
  }

  /** The client is gone. What is worked on stays counted until it is done. */
  leave(): void {
    if (!this.isAtWork) this.giveBack();
  }

  giveBack(): void {
    this.isOver = true;
    this.setPromised(0);
    this.budget.give(this, this.bytes);
  }

  private setPromised(bytes: number): void {
    this.promised = bytes;
    this.budget.await(this, bytes > 0);
  }
}
