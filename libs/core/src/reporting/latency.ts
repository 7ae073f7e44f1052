import { durationMs, type RawJson } from '@agentflow/domain';
import { flagged } from './flags.js';

/** What is known of how long something took. */
export interface Timed {
  latency_ms: number | null;
  metadata: RawJson;
}

/** The latency, computed when it was not said and both times are known; clocks that disagree are flagged. */
export function timed(
  latencyMs: number | null,
  start: string | null,
  end: string | null,
  metadata: RawJson,
): Timed {
  if (start === null || end === null) return { latency_ms: latencyMs, metadata };
  const { ms, isReversed } = durationMs(start, end);
  return {
    latency_ms: latencyMs ?? ms,
    metadata: isReversed ? flagged(metadata, 'ended_before_start') : metadata,
  };
}
