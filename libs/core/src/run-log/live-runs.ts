/** Hears what is said of a run while it is live: whole frames of a stream. */
type Listener = (frames: string) => void;

/** What processes say to each other; a process hears its own words, too. */
export type LiveMessage =
  /** Somebody has come who does not know yet who is followed. */
  { kind: 'hello' } | { kind: 'followed'; runs: string[] } | { kind: 'said'; run: string; frames: string };

/** Who follows runs says so again and again, and is forgotten when he falls silent. */
const REPEAT_EVERY_MS = 10_000;
const FORGET_AFTER_MS = 30_000;

/**
 * What is said of runs while they are live, to whoever follows them at this moment, in whichever process. Nothing is kept, and
 * what nobody follows is said to nobody. Runs are named by their tenant and their id: other tenants may use the same id.
 */
export class LiveRuns {
  private readonly listeners = new Map<string, Set<Listener>>();
  /** The runs that are followed in any process, and how long this is believed. */
  private readonly followed = new Map<string, number>();
  private readonly timer = setInterval(() => this.repeat(), REPEAT_EVERY_MS).unref();

  constructor(
    /** Says something to every process in the order of the calls; resolves when that is done or has failed. */
    private readonly say: (message: LiveMessage) => Promise<void>,
  ) {}

  /** Hears what is said from a moment from now on; the answer ends it. */
  follow(run: string, listener: Listener): () => void {
    const ofRun = this.listeners.get(run) ?? new Set();
    this.listeners.set(run, ofRun.add(listener));
    void this.say({ kind: 'followed', runs: [run] });
    return () => {
      ofRun.delete(listener);
      if (ofRun.size === 0 && this.listeners.get(run) === ofRun) this.listeners.delete(run);
    };
  }

  /** Says frames to all who follow the run. Of what one says after the other, the order is kept, at whichever processes. */
  async post(run: string, frames: string): Promise<void> {
    if (this.isFollowed(run)) await this.say({ kind: 'said', run, frames });
  }

  hear(message: LiveMessage): void {
    if (message.kind === 'hello') this.tellAll();
    else if (message.kind === 'followed')
      for (const run of message.runs) this.followed.set(run, performance.now() + FORGET_AFTER_MS);
    else for (const listener of this.listeners.get(message.run) ?? []) listener(message.frames);
  }

  /** To be called whenever others can hear this process, and be heard by it. */
  connected(): void {
    void this.say({ kind: 'hello' });
  }

  end(): void {
    clearInterval(this.timer);
  }

  private isFollowed(run: string): boolean {
    return this.listeners.has(run) || (this.followed.get(run) ?? 0) > performance.now();
  }

  private repeat(): void {
    for (const [run, until] of this.followed) if (until <= performance.now()) this.followed.delete(run);
    this.tellAll();
  }

  private tellAll(): void {
    if (this.listeners.size > 0) void this.say({ kind: 'followed', runs: [...this.listeners.keys()] });
  }
}
