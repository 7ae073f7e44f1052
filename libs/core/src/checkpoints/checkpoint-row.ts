import type { RawJson } from '@agentflow/domain';

/** A checkpoint as lists show it: without its state. */
export interface CheckpointSummaryRow {
  id: string;
  run_id: string;
  index: number;
  label: string | null;
  step_id: string | null;
  /** The size of the state's text in UTF-8. */
  state_bytes: number;
  /** When it was taken, by the reporter's clock; unknown for one that came by itself. */
  at: string | null;
  created_at: string;
}

/** A checkpoint with its state, which is the adapter's and opaque to us. */
export interface CheckpointRow extends CheckpointSummaryRow {
  state: RawJson;
}

/** A checkpoint as it is reported. */
export interface NewCheckpoint {
  id?: string;
  label?: string;
  step_id?: string;
  state: RawJson;
}
