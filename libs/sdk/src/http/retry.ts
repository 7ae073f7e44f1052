import { ApiError, ConnectionError, TimeoutError } from '../errors.js';

/** 500 too: whatever is sent again carries the same id or key, so it is carried out once. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/** Whether the same request may come through when it is sent again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return PASSING.has(error.status) || error.code === 'idempotency.in_progress';
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/**
 * How long to wait before retry `n`, counted from 0: what the server asks for, else twice as long each time, less
 * up to a half at random, so that many clients do not come back together, and at most half of the time that is left.
 */
export function retryDelayMs(error: unknown, n: number, leftMs: number): number {
  if (error instanceof ApiError && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** n, MAX_DELAY_MS, leftMs / 2);
  return longestMs * (0.5 + Math.random() / 2);
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function readRetryAfter(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Waits; an aborted signal ends it with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
