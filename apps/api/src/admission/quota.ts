interface Level {
  /** How many items may come at once now; below zero when more came than may. */
  items: number;
  /** When that was, in milliseconds. */
  at: number;
}

/** How many seconds of a rate may come at once. */
const BURST_SECONDS = 10;
const MOST_HOLDERS = 10_000;

/**
 * Token buckets, one for each holder: a burst of ten seconds' worth, then the rate. A batch is let in while anything is
 * left, and its items are taken when their number is known, so that the last one may overdraw. Kept in memory: each process
 * of several counts by itself, and a restart begins anew.
 */
export class Quota {
  private readonly levels = new Map<string, Level>();

  /** Without a rate everything is let in. */
  constructor(private readonly itemsPerSecond: number) {}

  /** After how many seconds the holder may send again; nothing when he may now. */
  waitOf(holder: string, now: number): number | undefined {
    if (this.itemsPerSecond === 0) return undefined;
    const { items } = this.levelOf(holder, now);
    return items > 0 ? undefined : Math.max(1, Math.ceil((1 - items) / this.itemsPerSecond));
  }

  spend(holder: string, items: number, now: number): void {
    if (this.itemsPerSecond > 0) this.levelOf(holder, now).items -= items;
  }

  private levelOf(holder: string, now: number): Level {
    const most = this.itemsPerSecond * BURST_SECONDS;
    const known = this.levels.get(holder);
    const level = known ?? { items: most, at: now };
    level.items = Math.min(most, level.items + ((now - level.at) / 1_000) * this.itemsPerSecond);
    level.at = now;
    if (!known) this.keep(holder, level, most);
    return level;
  }

  private keep(holder: string, level: Level, most: number): void {
    if (this.levels.size >= MOST_HOLDERS) {
      for (const [name, { items }] of this.levels) if (items >= most) this.levels.delete(name);
    }
    this.levels.set(holder, level);
  }
}
