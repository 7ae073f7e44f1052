import { DomainError, durationMs, type RawJson } from '@agentflow/domain';
import { flagged } from './flags.js';

/** When something began and ended, and how long it took. */
export interface Timing {
  started_at: string | null;
  ended_at: string | null;
  latency_ms: number | null;
  metadata: RawJson;
}

/** The latency, computed when it was not said and both times are known; clocks that disagree are flagged. */
export function timed(timing: Timing): Timing {
  const { started_at, ended_at, latency_ms, metadata } = timing;
  if (started_at === null || ended_at === null) return timing;
  const { ms, isReversed } = durationMs(started_at, ended_at);
  return {
    started_at,
    ended_at,
    latency_ms: latency_ms ?? ms,
    metadata: isReversed ? flagged(metadata, 'ended_before_start') : metadata,
  };
}

/** The end of what has ended: as it was reported, or now. What is still open has none, and must not claim one. */
export function endOf(hasEnded: boolean, reported: string | undefined, now: string): string | null {
  if (hasEnded) return reported ?? now;
  if (reported === undefined) return null;
  throw new DomainError('invalid_request', {
    faults: [{ pointer: '/ended_at', detail: 'goes with a final status only' }],
  });
}
