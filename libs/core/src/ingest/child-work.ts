import type { RunStatus, StepStatus, ToolCallStatus } from '@agentflow/contracts';
import { closedWithRun, type RawJson } from '@agentflow/domain';
import { flagsOf, withFlags, withoutFlags, type Flag } from '../reporting/flags.js';
import { timed, type Timing } from '../reporting/timing.js';
import type { Effect } from './verdict.js';

/* What steps and tool calls have in common while a batch is folded in. */

/** What a step or call is called that was only heard of. */
export const UNANNOUNCED = 'unannounced';

/** What the end of a run may do to a row below it. */
interface Closable extends Timing {
  status: StepStatus | ToolCallStatus;
  error_type: string | null;
  metadata: RawJson;
}

/** A row below a run while a batch is folded into it. */
export interface ChildWork<Row> {
  row: Row;
  flags: Flag[];
  /** As it is stored; nothing for a new one. */
  stored: Row | undefined;
  /** Something was reported about it: it was not only named by another. */
  isReported: boolean;
  isChanged: boolean;
}

const RUN_ENDED = 'run_ended';

/**
 * A stored row, as if its run had not ended: what the end of a run did to it is done again where it still holds. Flags
 * that are worked out anew are left out.
 */
export function knownChild<Row extends Closable>(stored: Row, isClosed: boolean): ChildWork<Row> {
  const flags = flagsOf(stored.metadata);
  const row = { ...stored, metadata: withoutFlags(stored.metadata) };
  if (isClosed && flags.includes('open_at_end')) {
    row.status = 'running';
    row.ended_at = null;
    row.latency_ms = null;
    if (row.error_type === RUN_ENDED) row.error_type = null;
  }
  const kept = flags.filter((flag) => flag === 'late');
  return { row, flags: kept, stored, isReported: true, isChanged: false };
}

/** Notes that an item said something about it. */
export function noted(work: ChildWork<unknown>): Effect {
  const effect = work.isReported ? 'updated' : 'created';
  work.isReported = true;
  work.isChanged = true;
  return effect;
}

/** How a run ended, as far as its children are concerned. */
export interface RunEnd {
  status: RunStatus;
  ended_at: string | null;
}

/** The row to be written: closed with its run where that has ended, its latency reckoned, its flags noted. */
export function writtenChild<Row extends Closable>(work: ChildWork<Row>, end: RunEnd, isOpen: boolean): Row {
  const row = { ...work.row };
  const flags = [...work.flags];
  if (isOpen && end.ended_at !== null) {
    flags.push('open_at_end');
    const status = closedWithRun(end.status);
    if (status !== undefined) {
      row.status = status;
      row.ended_at = end.ended_at;
    }
    if (status === 'failed') row.error_type ??= RUN_ENDED;
  }
  const { latency_ms, metadata } = timed(row);
  row.latency_ms = latency_ms;
  row.metadata = withFlags(metadata, flags);
  return row;
}
