import type { StepFinished, StepStarted, StepUpdated } from '@agentflow/contracts';
import { DomainError, RawJson, isStepTerminal, plainDecimal, sameJson } from '@agentflow/domain';
import type { StepRow } from '../steps/step-row.js';
import { earlier, withMembers, type Amends } from './amends.js';
import { UNANNOUNCED, knownChild, noted, writtenChild, type ChildWork, type RunEnd } from './child-work.js';
import { agrees, take, wasSaid, type FactRecord } from './step-facts.js';
import type { Effect } from './verdict.js';

/** A step as it is stored, with what is known of who said what. */
export interface ReportedStep extends StepRow, FactRecord {
  announced: boolean;
}

/** A step while a batch is folded into it. */
export interface StepWork extends ChildWork<ReportedStep> {
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

/** A stored step, as if its run had not ended. */
export function knownStep(stored: ReportedStep): StepWork {
  const work = knownChild(stored, isStepTerminal(stored.status));
  // A computed cost is not said by anybody.
  const isReported = stored.cost_usd !== null && stored.cost_source === 'reported';
  work.row.cost_usd = isReported ? plainDecimal(stored.cost_usd as string) : null;
  return { ...work, isMoved: false };
}

/** What a start says once and for all. */
const IDENTITY = ['node', 'kind', 'parent_step_id', 'input', 'agent_role', 'tier', 'external_id'] as const;
type Identity = Pick<StepRow, (typeof IDENTITY)[number]>;

/** Who a step is by what its start says, and by what is known where that says nothing. */
const identityOf = (item: StepStarted<RawJson>, known?: Identity): Identity => ({
  node: item.node,
  kind: item.kind ?? known?.kind ?? null,
  parent_step_id: item.parent_step_id ?? known?.parent_step_id ?? null,
  input: item.input ?? known?.input ?? null,
  agent_role: item.agent_role ?? known?.agent_role ?? null,
  tier: item.tier ?? known?.tier ?? null,
  external_id: item.external_id ?? known?.external_id ?? null,
});

export function startStep(work: StepWork, item: StepStarted<RawJson>, amends: Amends): Effect {
  const { row } = work;
  const isFirst = !row.announced;
  const stays = amends === 'partly' && !isFirst;
  const at = stays ? earlier(row.started_at, item.at) : item.at;
  const identity = identityOf(item, stays ? row : undefined);
  const isSame =
    !isFirst && row.started_at === at && IDENTITY.every((name) => same(row[name], identity[name]));
  if (!isFirst && !isSame && !amends) throw new DomainError('id_conflict');
  const status = item.status ?? 'running';
  // Until somebody says how it stands, it stands as its start says.
  if (isFirst && !isStepTerminal(row.status) && !wasSaid(row, 'status')) row.status = status;
  if (!isSame) {
    work.isMoved ||= row.parent_step_id !== identity.parent_step_id;
    if (row.started_at !== at && !isFirst) row.latency_ms = null;
    Object.assign(row, identity);
    row.started_at = at;
    row.announced = true;
  }
  const { metadata } = item;
  const facts = stays && metadata ? { ...item, metadata: withMembers(row.metadata, metadata) } : item;
  const hasChanged = take(row, { facts, status, at: item.at }, amends);
  return effect(work, !isSame || hasChanged);
}

export function updateStep(work: StepWork, item: StepUpdated<RawJson>, amends: Amends): Effect {
  return effect(work, take(work.row, { facts: item, status: item.status, at: item.at }, amends));
}

export function finishStep(work: StepWork, item: StepFinished<RawJson>, amends: Amends): Effect {
  const { row } = work;
  const failed = item.error !== undefined || item.error_type !== undefined;
  const status = item.status ?? (failed ? 'failed' : 'succeeded');
  const saying = { facts: item, status, at: undefined };
  if (isStepTerminal(row.status)) {
    const isSame = agrees(row, saying) && (!amends || row.ended_at === item.at);
    if (isSame) return 'duplicate';
    if (!amends) throw new DomainError('already_completed', { members: { current_state: row.status } });
  }
  take(row, saying, amends);
  row.ended_at = item.at;
  row.latency_ms = item.latency_ms ?? null;
  return effect(work, true);
}

function effect(work: StepWork, hasChanged: boolean): Effect {
  // Of a step that nobody has reported before, even nothing is news.
  if (!hasChanged && work.isReported) return 'duplicate';
  work.isMoved = true;
  return noted(work);
}

/** Whether a stored member is what was stated; what is not stated has to be absent. */
export function same(stored: unknown, stated: unknown): boolean {
  const value = stated ?? null;
  if (stored instanceof RawJson && value instanceof RawJson) return sameJson(stored, value);
  return stored === value;
}

export const writtenStep = (work: StepWork, end: RunEnd): ReportedStep =>
  writtenChild(work, end, !isStepTerminal(work.row.status));
