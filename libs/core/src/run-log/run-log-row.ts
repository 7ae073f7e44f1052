import type { RunEventType, RunStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** One entry of a run's log, as it was committed. */
export interface RunEventRow {
  /** Counts from 1, without a gap. */
  seq: number;
  type: RunEventType;
  /** What it happened to: the run, or something below it. */
  entity_id: string | null;
  data: RawJson | null;
  at: string;
}

/** How far a run's log reaches. */
export interface LogEnd {
  status: RunStatus;
  last_event_seq: number;
}
