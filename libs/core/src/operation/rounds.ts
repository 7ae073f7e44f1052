import { setTimeout as delay } from 'node:timers/promises';

/** Where rounds tell what they did and what they could not do. */
export interface RoundsLog {
  info(figures: object, message: string): void;
  warn(failure: object, message: string): void;
}

interface Manner {
  /** How long to wait from the end of a round to the next, in milliseconds. */
  readonly everyMs: number;
  /** What the log says of a round that did something, before its figures. */
  readonly did: string;
  /** What the log says of a round that failed. */
  readonly failed: string;
}

/**
 * Work that is done again and again, a while after the last time has ended, however long that took. A round that fails is
 * told in the log and tried again with the next; so any number may do the same rounds, in one process or in several.
 */
export abstract class Rounds<Figures extends Readonly<Record<keyof Figures, number>>> {
  private readonly stopping = new AbortController();
  private current: Promise<void> = Promise.resolve();

  protected constructor(
    private readonly log: RoundsLog,
    private readonly manner: Manner,
  ) {}

  /** One round, or as much of it as it comes to until it is told to stop; answers how much was done of what. */
  abstract round(): Promise<Figures>;

  /** Begins with a round at once. */
  start(): void {
    this.current = this.goOn();
  }

  /** Begins nothing new, and resolves when what is under way is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current;
  }

  /** Aborted as soon as nothing new is to begin. */
  protected get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Tells of something that failed. What breaks off because it was told to stop is no failure. */
  protected warn(failure: object, message: string): void {
    if (!this.signal.aborted) this.log.warn(failure, message);
  }

  private async goOn(): Promise<void> {
    const { signal } = this;
    while (!signal.aborted) {
      await this.reported();
      // No reason for the process to stay alive.
      await delay(this.manner.everyMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async reported(): Promise<void> {
    try {
      const figures = await this.round();
      if (Object.values<number>(figures).some((figure) => figure > 0))
        this.log.info(figures, this.manner.did);
    } catch (error) {
      this.warn({ err: error }, this.manner.failed);
    }
  }
}
