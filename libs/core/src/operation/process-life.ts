import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Two signals this close together are one request: npm, a shell and a terminal each deliver it. */
const SAME_REQUEST_MS = 1_000;

/** How long a start that is told to end meanwhile gets to come to a point from where it can be undone. */
const START_GRACE_MS = 5_000;

export type StopSignal = 'SIGTERM' | 'SIGINT';

interface Opened {
  what: string;
  close: (signal: StopSignal) => unknown;
  withinMs: number;
}

/** What a process has opened, and has to close before it ends. */
export class ProcessLife {
  private readonly opened: Opened[] = [];
  private readonly abort = new AbortController();

  constructor(private readonly log: Logger) {}

  /** Aborted as soon as the process is to end. */
  get ending(): AbortSignal {
    return this.abort.signal;
  }

  /** Remembers how to close what was just opened. The last is closed first; one that takes longer is left behind. */
  onEnd(what: string, close: Opened['close'], withinMs = 2_000): void {
    this.opened.push({ what, close, withinMs });
  }

  /** Closes everything, whatever fails on the way; answers whether all of it was closed. */
  async end(signal: StopSignal, started: Promise<unknown>): Promise<boolean> {
    this.abort.abort();
    // What is on its way to be opened has to be there before it can be closed.
    await settledWithin(
      started.catch(() => undefined),
      START_GRACE_MS,
    );
    let isClean = true;
    for (let next = this.opened.pop(); next; next = this.opened.pop()) {
      isClean = (await this.close(next, signal)) && isClean;
    }
    return isClean;
  }

  private async close({ what, close, withinMs }: Opened, signal: StopSignal): Promise<boolean> {
    try {
      const closed = Promise.resolve(close(signal));
      closed.catch(() => undefined); // one that was left behind may still fail
      if (await settledWithin(closed, withinMs)) return true;
      this.log.warn({ what }, 'did not end in time');
    } catch (error) {
      this.log.error({ err: error, what }, 'did not end cleanly');
    }
    return false;
  }
}

/**
 * Ends the process when it is told to: 0 when everything was closed, 1 when not, when it was told again, or after an
 * error that nobody caught. Once, at the start of a process; `started` settles when the start is over.
 */
export function endOnSignal(log: Logger, life: ProcessLife, started: Promise<unknown>): void {
  let toldAt: number | undefined;
  let exitCode = 0;
  const end = (signal: StopSignal): void => {
    if (life.ending.aborted) return;
    log.info({ signal }, 'stopping');
    void life.end(signal, started).then((isClean) => leave(log, isClean ? exitCode : 1));
  };
  const onSignal = (signal: StopSignal): void => {
    if (toldAt !== undefined && performance.now() - toldAt >= SAME_REQUEST_MS) {
      log.warn('told to stop again: ending at once');
      process.exit(1);
    }
    toldAt ??= performance.now();
    end(signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // The state is unknown from here on: requests under way may finish, and a new process starts afresh.
  const onSurprise = (error: unknown): void => {
    log.fatal({ err: error }, 'an error that nobody caught');
    exitCode = 1;
    end('SIGINT');
  };
  process.on('uncaughtException', onSurprise);
  process.on('unhandledRejection', onSurprise);
}

/** How long the last lines of the log may take. */
const LAST_WORDS_MS = 1_000;

/** Ends the process as soon as its log is written. */
export function leave(log: Logger, exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LAST_WORDS_MS);
  log.flush(() => process.exit(exitCode));
}

/** Whether it settled in time; its failure is thrown. */
async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(limitMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
