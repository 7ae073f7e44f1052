interface Entry {
  key: unknown;
  items: unknown[];
  answers: Promise<readonly unknown[]>;
  send: () => void;
}

/**
 * The statements of works that share a transaction. What is begun in one turn is sent when the turn is over, each
 * gathering once. Every work's own statements keep their order.
 */
export class GatheredStatements {
  private entries: Entry[] = [];
  private readonly latest = new Map<object, Entry>();

  /** Adds one item to the statement `key`, behind all that `part` has begun in this turn. */
  add<Item, Answer>(
    part: object,
    key: unknown,
    item: Item,
    carryOut: (items: readonly Item[]) => Promise<readonly Answer[]>,
  ): Promise<Answer> {
    if (this.entries.length === 0) process.nextTick(() => this.send());
    const behind = this.entries.indexOf(this.latest.get(part) as Entry);
    let entry = this.entries.find((candidate, i) => i >= behind && candidate.key === key);
    if (!entry) {
      entry = newEntry(key, carryOut as Parameters<typeof newEntry>[1]);
      this.entries.push(entry);
    }
    this.latest.set(part, entry);
    const index = entry.items.push(item) - 1;
    return entry.answers.then((answers) => answers[index] as Answer);
  }

  private send(): void {
    const { entries } = this;
    this.entries = [];
    this.latest.clear();
    for (const entry of entries) entry.send();
  }
}

function newEntry(key: unknown, carryOut: (items: readonly unknown[]) => Promise<readonly unknown[]>): Entry {
  const items: unknown[] = [];
  let send = (): void => undefined;
  const answers = new Promise<readonly unknown[]>((resolve, reject) => {
    send = (): void => void carryOut(items).then(resolve, reject);
  });
  return { key, items, answers, send };
}
