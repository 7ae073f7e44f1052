import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import pg from 'pg';
import { Pieces, piecesOf } from './pieces.js';

const TOUCHED = 'agentflow_runs';
const SAID = 'agentflow_live';

/** How long ids gather: to notify takes a lock that every other commit which notifies waits for. */
const GATHERING_MS = 50;

/** The same for what is said, which people read as it comes. */
const SAYING_MS = 20;
/** Characters that wait to be said, at most; what comes on top is left out. */
const MOST_WAITING = 2 ** 20;

/** A notification holds less than 8,000 bytes; where more is touched, everybody looks. */
const MOST_IDS = 200;
const EVERYTHING = '*';

/** A connection that has died may say nothing for hours, so it is asked. */
const ASK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 1_000;
const CONNECT_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 250;

/** What a process hears of the others. */
export interface Hearing {
  /** What others have touched; nothing where it may be anything. */
  touched(ids: readonly string[] | undefined): void;
  /** What anybody has said, this process too. Absent for who does not listen to that. */
  said?(message: unknown): void;
  /** From now on others are heard, and hear this process; what was said before is lost. */
  connected?(): void;
}

/** What the processes of an installation tell each other: which runs they have written to, and what is not kept. */
export class Notifications {
  private touched = new Set<string>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waiting: string[] = [];
  private waitingLength = 0;
  private saying: Promise<void> | undefined;
  private readonly pieces = new Map<number, Pieces>();
  private readonly ending = new AbortController();
  private readonly listening: Promise<void>;

  constructor(
    /** The way to Postgres past any pooler: who listens keeps his session. */
    private readonly url: string,
    private readonly hearing: Hearing,
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

  /**
   * Says something to every process that listens, this one too, in the order of the calls, and nothing of it is kept. Resolves when
   * it was said, or cannot be: who says one thing after the other, at whichever processes, is heard in this order by all.
   */
  say(message: unknown): Promise<void> {
    const text = JSON.stringify(message);
    if (this.waitingLength + text.length > MOST_WAITING) return Promise.resolve();
    this.waiting.push(text);
    this.waitingLength += text.length;
    this.saying ??= delay(SAYING_MS, undefined, { ref: false }).then(() => this.sayAll());
    return this.saying;
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
    this.client?.query('SELECT pg_notify($1, $2)', [TOUCHED, payload]).catch(() => undefined);
  }

  private async sayAll(): Promise<void> {
    const pieces = piecesOf(`[${this.waiting.join()}]`);
    this.waiting = [];
    this.waitingLength = 0;
    this.saying = undefined;
    const said = this.client?.query('SELECT pg_notify($1, piece) FROM unnest($2::text[]) AS piece', [
      SAID,
      pieces,
    ]);
    await said?.catch(() => undefined);
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
      const channels = this.hearing.said ? [TOUCHED, SAID] : [TOUCHED];
      // Nothing is kept that would have to wait for the disk.
      await client.query(
        ['SET synchronous_commit = off', ...channels.map((name) => `LISTEN ${name}`)].join('; '),
      );
      this.client = client;
      connected();
      // Nobody was listening until now.
      this.pieces.clear();
      this.hearing.touched(undefined);
      this.hearing.connected?.();
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

  private hear(client: pg.Client, { channel, processId, payload }: pg.Notification): void {
    if (channel === SAID) return this.hearSaid(processId, payload ?? '');
    if (processId === (client as pg.Client & { processID: number }).processID) return;
    this.hearing.touched(payload === undefined || payload === EVERYTHING ? undefined : payload.split(','));
  }

  private hearSaid(processId: number, piece: string): void {
    const pieces = this.pieces.get(processId) ?? new Pieces();
    const text = pieces.add(piece);
    if (text === undefined) return void this.pieces.set(processId, pieces);
    this.pieces.delete(processId);
    for (const message of JSON.parse(text) as unknown[]) this.hearing.said?.(message);
  }
}

/** Ends a connection that may be dead; to end it properly would wait for an answer. */
function cut(client: pg.Client | undefined): void {
  (client as (pg.Client & { connection: { stream: Socket } }) | undefined)?.connection.stream.destroy();
}
