import type { Logger } from 'pino';

/** Two signals this close together are one request: npm, a shell and a terminal each deliver it. */
const SAME_REQUEST_MS = 1_000;

export type StopSignal = 'SIGTERM' | 'SIGINT';

/**
 * Runs `stop` when the process is told to end, and then ends it: 0 when it stopped cleanly, 1 when it did not, when
 * it was told again, or after an error that nobody caught.
 */
export function onStopSignal(log: Logger, stop: (signal: StopSignal) => Promise<void>): void {
  let firstAt: number | undefined;
  const end = (signal: StopSignal, exitCode: number): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt < SAME_REQUEST_MS) return;
      log.warn('told to stop again: ending at once');
      process.exit(1);
    }
    firstAt = performance.now();
    log.info({ signal }, 'stopping');
    stop(signal).then(
      () => finish(log, exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop cleanly');
        finish(log, 1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  const onSurprise = (error: unknown): void => {
    // The state is unknown from here on: requests under way may finish, and a new process starts afresh.
    log.fatal({ err: error }, 'an error that nobody caught');
    end('SIGINT', 1);
  };
  process.on('uncaughtException', onSurprise);
  process.on('unhandledRejection', onSurprise);
}

function finish(log: Logger, exitCode: number): void {
  log.flush(() => process.exit(exitCode));
}
