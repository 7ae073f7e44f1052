import type { StepFacts, StepFinished, StepStarted, StepUpdated } from '@agentflow/contracts';
import { DomainError, RawJson, isStepTerminal, plainDecimal, sameJson } from '@agentflow/domain';
import { flagsOf, withFlags, withoutFlags, type Flag } from '../reporting/flags.js';
import { timed } from '../reporting/timing.js';
import type { StepRow } from '../steps/step-row.js';
import { FACTS, agrees, take, wasSaid, type FactRecord, type Sayings } from './step-facts.js';
import type { Effect } from './verdict.js';

/** A step as it is stored, with what is known of who said what. */
export interface ReportedStep extends StepRow, FactRecord {
  announced: boolean;
}

/** What a step is called that was only heard of. */
export const UNANNOUNCED = 'unannounced';

/** A step while a batch is folded into it. */
export interface StepWork {
  row: ReportedStep;
  flags: Flag[];
  /** As it is stored; nothing for a new one. */
  stored: ReportedStep | undefined;
  /** Something was reported about it: it was not only named by another. */
  isReported: boolean;
  isChanged: boolean;
  /** Where it hangs, or what it used, is not what it was: its ancestors have to be looked through. */
  isMoved: boolean;
}

const NO_METADATA = RawJson.trusted('{}');

/** A step of which nothing is known but that there is one. */
export function unannouncedStep(run_id: string, id: string, index: number): StepWork {
  const row: ReportedStep = {
    id,
    run_id,
    index,
    node: UNANNOUNCED,
    kind: null,
    status: 'running',
    parent_step_id: null,
    input: null,
    output: null,
    error: null,
    error_type: null,
    latency_ms: null,
    tokens_in: null,
    tokens_out: null,
    token_details: null,
    cost_usd: null,
    cost_source: null,
    tokens_below: false,
    cost_below: false,
    model: null,
    provider: null,
    agent_role: null,
    tier: null,
    retry_count: 0,
    metadata: NO_METADATA,
    started_at: null,
    ended_at: null,
    external_id: null,
    created_at: '',
    updated_at: '',
    announced: false,
    settled: 0,
    said: null,
  };
  return { row, flags: [], stored: undefined, isReported: false, isChanged: true, isMoved: true };
}

/** A stored step, as if its run had not ended: what the end of a run did to it is done again where it still holds. */
export function knownStep(stored: ReportedStep): StepWork {
  const flags = flagsOf(stored.metadata);
  const row: ReportedStep = { ...stored, metadata: withoutFlags(stored.metadata) };
  // A computed cost is not said by anybody.
  row.cost_usd =
    stored.cost_usd === null || stored.cost_source !== 'reported' ? null : plainDecimal(stored.cost_usd);
  if (flags.includes('open_at_end') && isStepTerminal(stored.status)) {
    row.status = 'running';
    row.ended_at = null;
    row.latency_ms = null;
    if (row.error_type === 'run_ended') row.error_type = null;
  }
  const kept = flags.filter((flag) => flag === 'late');
  return { row, flags: kept, stored, isReported: true, isChanged: false, isMoved: false };
}

/** What a start says once and for all. */
const IDENTITY = ['node', 'kind', 'parent_step_id', 'input', 'agent_role', 'tier', 'external_id'] as const;

export function startStep(work: StepWork, item: StepStarted<RawJson>, amends: boolean): Effect {
  const { row } = work;
  const isFirst = !row.announced;
  const isSame =
    !isFirst && row.started_at === item.at && IDENTITY.every((name) => same(row[name], item[name]));
  if (!isFirst && !isSame && !amends) throw new DomainError('id_conflict');
  const status = item.status ?? 'running';
  // Until somebody says how it stands, it stands as its start says.
  if (isFirst && !isStepTerminal(row.status) && !wasSaid(row, 'status')) row.status = status;
  if (!isSame) {
    work.isMoved ||= row.parent_step_id !== (item.parent_step_id ?? null);
    if (row.started_at !== item.at && !isFirst) row.latency_ms = null;
    for (const name of IDENTITY) (row as unknown as Record<string, unknown>)[name] = item[name] ?? null;
    row.started_at = item.at;
    row.announced = true;
  }
  const hasChanged = take(row, withStatus(sayingsOf(item), status), item.at, { amends });
  return effect(work, !isSame || hasChanged);
}

export function updateStep(work: StepWork, item: StepUpdated<RawJson>, amends: boolean): Effect {
  const sayings = sayingsOf(item);
  if (item.status !== undefined) sayings.status = item.status;
  return effect(work, take(work.row, sayings, item.at, { amends }));
}

export function finishStep(work: StepWork, item: StepFinished<RawJson>, amends: boolean): Effect {
  const { row } = work;
  const failed = item.error !== undefined || item.error_type !== undefined;
  const sayings = withStatus(sayingsOf(item), item.status ?? (failed ? 'failed' : 'succeeded'));
  if (isStepTerminal(row.status)) {
    const isSame = agrees(row, sayings) && (!amends || row.ended_at === item.at);
    if (isSame) return 'duplicate';
    if (!amends) throw new DomainError('already_completed', { members: { current_state: row.status } });
  }
  take(row, sayings, undefined, { amends });
  row.ended_at = item.at;
  row.latency_ms = item.latency_ms ?? null;
  return effect(work, true);
}

function effect(work: StepWork, hasChanged: boolean): Effect {
  // Of a step that nobody has reported before, even nothing is news.
  if (!hasChanged && work.isReported) return 'duplicate';
  const made = work.isReported ? 'updated' : 'created';
  work.isReported = true;
  work.isChanged = true;
  work.isMoved = true;
  return made;
}

function withStatus(sayings: Sayings, status: StepRow['status']): Sayings {
  sayings.status = status;
  return sayings;
}

/** What an item states of the facts. Names that are not there are left out: the object stays small. */
function sayingsOf(item: StepFacts<RawJson>): Sayings {
  const sayings: Record<string, unknown> = {};
  for (const fact of STATED) if (item[fact] !== undefined) sayings[fact] = item[fact];
  return sayings as Sayings;
}

const STATED = FACTS.filter((fact) => fact !== 'status');

/** Whether a stored member is what was stated; what is not stated has to be absent. */
export function same(stored: unknown, stated: unknown): boolean {
  const value = stated ?? null;
  if (stored instanceof RawJson && value instanceof RawJson) return sameJson(stored, value);
  return stored === value;
}

/** How a run ended, as far as its children are concerned. */
export interface RunEnd {
  status: StepRow['status'] | 'running' | 'waiting_human';
  ended_at: string | null;
}

/** The row to be written: closed with its run where that has ended, its latency reckoned, its flags noted. */
export function writtenStep(work: StepWork, end: RunEnd): ReportedStep {
  const row = { ...work.row };
  const flags = [...work.flags];
  if (end.ended_at !== null && !isStepTerminal(row.status)) {
    flags.push('open_at_end');
    if (end.status !== 'succeeded') {
      row.status = end.status === 'failed' ? 'failed' : 'cancelled';
      if (end.status === 'failed') row.error_type ??= 'run_ended';
      row.ended_at = end.ended_at;
    }
  }
  const { latency_ms, metadata } = timed(row);
  row.latency_ms = latency_ms;
  row.metadata = withFlags(metadata, flags);
  return row;
}
