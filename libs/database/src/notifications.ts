import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import pg from 'pg';

const CHANNEL = 'agentflow_runs';

/** How long ids gather: to notify takes a lock that every other commit which notifies waits for. */
const GATHERING_MS = 50;

/** A notification holds less than 8,000 bytes; where more is touched, everybody looks. */
const MOST_IDS = 200;
const EVERYTHING = '*';

/** A connection that has died may say nothing for hours, so it is asked. */
const ASK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 1_000;
const CONNECT_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 250;

/** What the processes of an installation tell each other: which runs they have written to. */
export class Notifications {
  private touched = new Set<string>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private readonly listening: Promise<void>;

  constructor(
    /** The way to Postgres past any pooler: who listens keeps his session. */
    private readonly url: string,
    /** Hears what others have touched; nothing where it may be anything. */
    private readonly heard: (ids: readonly string[] | undefined) => void,
    /** Is told why nothing is heard any more; once, and not with every attempt. */
    private readonly onDeaf: (error: unknown) => void,
  ) {
    this.listening = this.listen();
  }

  /** Tells the others in a moment. What cannot be told is not kept: they look by themselves. */
  tell(ids: Iterable<string>): void {
    for (const id of ids) this.touched.add(id);
    this.timer ??= setTimeout(() => this.send(), GATHERING_MS).unref();
  }

  async end(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.timer);
    cut(this.client);
    await this.listening;
  }

  private send(): void {
    const ids = [...this.touched];
    this.touched = new Set();
    this.timer = undefined;
    const payload = ids.length > MOST_IDS ? EVERYTHING : ids.join();
    // Whoever asks this connection finds out that it is dead.
    this.client?.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]).catch(() => undefined);
  }

  /** One connection after the other, as long as the process lives. */
  private async listen(): Promise<void> {
    const { signal } = this.ending;
    let isTold = false;
    while (!signal.aborted) {
      try {
        await this.listenOnce(() => (isTold = false));
      } catch (error) {
        if (!isTold && !signal.aborted) this.onDeaf(error);
        isTold = true;
      }
      await delay(AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async listenOnce(connected: () => void): Promise<void> {
    const { signal } = this.ending;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'agentflow events',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    const lost = new Promise<never>((_resolve, reject) => client.on('error', reject));
    lost.catch(() => undefined);
    client.on('notification', (message) => this.hear(client, message));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.client = client;
      connected();
      // Nobody was listening until now.
      this.heard(undefined);
      while (!signal.aborted) {
        await Promise.race([
          lost,
          delay(ASK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined),
        ]);
        await client.query('SELECT 1');
      }
    } finally {
      this.client = undefined;
      cut(client);
    }
  }

  private hear(client: pg.Client, { processId, payload }: pg.Notification): void {
    if (processId === (client as pg.Client & { processID: number }).processID) return;
    this.heard(payload === undefined || payload === EVERYTHING ? undefined : payload.split(','));
  }
}

/** Ends a connection that may be dead; to end it properly would wait for an answer. */
function cut(client: pg.Client | undefined): void {
  (client as (pg.Client & { connection: { stream: Socket } }) | undefined)?.connection.stream.destroy();
}
