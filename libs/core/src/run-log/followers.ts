/** One who follows a run. */
export interface Follower {
  /** Resolves when there may be news since the last time, or at the signal; at once when there were some meanwhile. */
  news(stopping: AbortSignal): Promise<void>;
  /** To be called at the end. */
  leave(): void;
}

/** Nobody sleeps longer than this, as long as not too many would wake. */
const SLEEP_MS = 1_500;
const TURNS = 15;
/** Wakings for nothing that a process bears in a second, whoever they are. */
const MOST_A_SECOND = 100;

/**
 * Who in this process follows which run. They are woken when they are told to be, and now and then by themselves: what
 * wakes them may get lost, and then only costs time.
 */
export class Followers {
  private readonly ofRuns = new Map<string, Set<Sleeper>>();
  private readonly all = new Set<Sleeper>();
  private turn = this.all.values();
  private readonly timer = setInterval(() => this.wakeSome(), SLEEP_MS / TURNS).unref();

  get size(): number {
    return this.all.size;
  }

  follow(runId: string): Follower {
    const sleeper = new Sleeper();
    const ofRun = this.ofRuns.get(runId) ?? new Set();
    this.ofRuns.set(runId, ofRun.add(sleeper));
    this.all.add(sleeper);
    return {
      news: (stopping) => sleeper.sleep(stopping),
      leave: () => {
        this.all.delete(sleeper);
        ofRun.delete(sleeper);
        if (ofRun.size === 0 && this.ofRuns.get(runId) === ofRun) this.ofRuns.delete(runId);
      },
    };
  }

  wake(runIds: Iterable<string>): void {
    for (const runId of runIds) for (const sleeper of this.ofRuns.get(runId) ?? []) sleeper.wake();
  }

  wakeAll(): void {
    for (const sleeper of this.all) sleeper.wake();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private wakeSome(): void {
    const most = (MOST_A_SECOND * SLEEP_MS) / TURNS / 1_000;
    for (let count = Math.min(Math.ceil(this.all.size / TURNS), most); count > 0; count--) {
      let next = this.turn.next();
      if (next.done) {
        this.turn = this.all.values();
        next = this.turn.next();
      }
      next.value?.wake();
    }
  }
}

class Sleeper {
  private isAwake = false;
  private resolve: (() => void) | undefined;

  wake(): void {
    this.isAwake = true;
    this.resolve?.();
  }

  async sleep(stopping: AbortSignal): Promise<void> {
    if (!this.isAwake && !stopping.aborted) {
      const wake = (): void => this.wake();
      stopping.addEventListener('abort', wake);
      await new Promise<void>((resolve) => (this.resolve = resolve));
      stopping.removeEventListener('abort', wake);
    }
    this.isAwake = false;
    this.resolve = undefined;
  }
}
