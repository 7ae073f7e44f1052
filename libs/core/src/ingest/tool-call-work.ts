import type { ToolCallCompleted, ToolCallStarted } from '@agentflow/contracts';
import { DomainError, RawJson, isToolCallTerminal } from '@agentflow/domain';
import { agreesWith } from '../reporting/same-content.js';
import type { ToolCallRow } from '../tool-calls/tool-call-row.js';
import { earlier, withMembers, type Amends } from './amends.js';
import { UNANNOUNCED, knownChild, noted, writtenChild, type ChildWork, type RunEnd } from './child-work.js';
import { same } from './step-work.js';
import type { Effect } from './verdict.js';

/** A tool call as it is stored. */
export interface ReportedCall extends ToolCallRow {
  announced: boolean;
}

/** A tool call while a batch is folded into it. */
export type CallWork = ChildWork<ReportedCall>;

const NO_METADATA = RawJson.trusted('{}');

/** A tool call of which nothing is known but that there is one. */
export function unannouncedCall(run_id: string, agent_id: string, id: string): CallWork {
  const row: ReportedCall = {
    id,
    agent_id,
    run_id,
    step_id: null,
    name: UNANNOUNCED,
    status: 'running',
    arguments: null,
    result: null,
    error: null,
    error_type: null,
    latency_ms: null,
    provider_call_id: null,
    metadata: NO_METADATA,
    started_at: null,
    ended_at: null,
    created_at: '',
    updated_at: '',
    announced: false,
  };
  return { row, flags: [], stored: undefined, isReported: false, isChanged: false };
}

/** A stored call, as if its run had not ended. */
export const knownCall = (stored: ReportedCall): CallWork =>
  knownChild(stored, isToolCallTerminal(stored.status));

/** What a start says once and for all. */
const IDENTITY = ['name', 'step_id', 'arguments', 'provider_call_id'] as const;

export function startCall(work: CallWork, item: ToolCallStarted<RawJson>, amends: Amends): Effect {
  const { row } = work;
  const isFirst = !row.announced;
  const stays = amends === 'partly' && !isFirst;
  const at = stays ? earlier(row.started_at, item.at) : item.at;
  const stated = item.metadata ?? NO_METADATA;
  const metadata = stays ? withMembers(row.metadata, stated) : stated;
  const said = Object.fromEntries(IDENTITY.map((name) => [name, item[name] ?? (stays ? row[name] : null)]));
  const isSame = !isFirst && row.started_at === at && IDENTITY.every((name) => same(row[name], said[name]));
  if (isSame && (isToolCallTerminal(row.status) || same(row.metadata, metadata))) return 'duplicate';
  if (!isFirst && !amends) throw new DomainError('id_conflict');
  if (row.started_at !== at && !isFirst) row.latency_ms = null;
  // What the end has said stays.
  if (amends || row.metadata.text === NO_METADATA.text) row.metadata = metadata;
  Object.assign(row, said, { started_at: at, announced: true });
  return noted(work);
}

export function completeCall(work: CallWork, item: ToolCallCompleted<RawJson>, amends: Amends): Effect {
  const { row } = work;
  const { result, error, error_type, metadata } = item;
  const failed = error !== undefined || error_type !== undefined;
  const status = item.status ?? (failed ? 'failed' : 'succeeded');
  if (isToolCallTerminal(row.status)) {
    const isSame = row.status === status && agreesWith(row, { result, error, error_type, metadata });
    if (isSame && (!amends || row.ended_at === item.at)) return 'duplicate';
    if (!amends) throw new DomainError('already_completed', { members: { current_state: row.status } });
  }
  Object.assign(row, {
    status,
    result: result ?? (amends === 'partly' ? row.result : null),
    error: error ?? null,
    error_type: error_type ?? null,
  });
  if (metadata !== undefined && metadata.text !== NO_METADATA.text) row.metadata = metadata;
  row.ended_at = item.at;
  row.latency_ms = item.latency_ms ?? null;
  return noted(work);
}

export const writtenCall = (work: CallWork, end: RunEnd): ReportedCall =>
  writtenChild(work, end, !isToolCallTerminal(work.row.status));
