import { setTimeout as delay } from 'node:timers/promises';

/** Work that is done again and again, a while after the last time has ended, however long that took. */
export class Rounds {
  private readonly stopping = new AbortController();
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly everyMs: number,
    /** One round, or as much of it as it comes to until `signal` is aborted; it throws nothing. */
    private readonly round: () => Promise<void>,
  ) {}

  /** Aborted as soon as no further round is to begin. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Begins with a round at once. */
  start(): void {
    this.current = this.goOn();
  }

  /** Begins nothing new, and resolves when the round is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current;
  }

  private async goOn(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.round();
      // No reason for the process to stay alive.
      await delay(this.everyMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}
