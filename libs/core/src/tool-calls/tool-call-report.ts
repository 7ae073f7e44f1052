import type { ToolCallStatus } from '@agentflow/contracts';
import { DomainError, RawJson, isTerminal, isToolCallTerminal } from '@agentflow/domain';
import { flagged, isAwaited, refuseFlags, replaceMetadata } from '../reporting/flags.js';
import type { RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { endOf, timed } from '../reporting/timing.js';
import type { ToolCallUpdate } from './sql/complete-tool-call.js';
import type { ToolCallDraft } from './sql/insert-tool-calls.js';
import type { NewToolCall, ToolCallCompletion, ToolCallRow } from './tool-call-row.js';

/** The status that a report means when it does not say one: an error failed, a result succeeded. */
function impliedStatus({
  status,
  result,
  error,
  error_type,
}: ToolCallCompletion): ToolCallStatus | undefined {
  if (status !== undefined) return status;
  if (error !== undefined || error_type !== undefined) return 'failed';
  return result === undefined ? undefined : 'succeeded';
}

/** Where a call belongs. */
export interface CallPlace {
  agentId: string;
  runId: string | null;
}

/** The row that a report becomes. */
export function toolCallDraft(place: CallPlace, id: string, call: NewToolCall, now: string): ToolCallDraft {
  const status = impliedStatus(call) ?? 'running';
  refuseFlags(call.metadata);
  return {
    id,
    agent_id: place.agentId,
    run_id: place.runId,
    step_id: call.step_id ?? null,
    name: call.name,
    status,
    arguments: call.arguments ?? null,
    result: call.result ?? null,
    error: call.error ?? null,
    error_type: call.error_type ?? null,
    provider_call_id: call.provider_call_id ?? null,
    ...timed({
      started_at: call.started_at ?? (status === 'running' ? now : null),
      ended_at: endOf(isToolCallTerminal(status), call.ended_at, now),
      latency_ms: call.latency_ms ?? null,
      metadata: call.metadata ?? RawJson.trusted('{}'),
    }),
  };
}

/** What a completion has to know of the run around it; a call outside runs knows the clock only. */
export type Surroundings = Pick<RunHead, 'now'> & Partial<Pick<RunHead, 'status' | 'in_grace'>>;

/**
 * What a completion makes of a stored call, or `undefined` when it says nothing new. The first completion wins; a
 * call that was closed only because its run ended may still be completed within the run's minute of grace, and is
 * then marked as late. A call outside runs has no such end.
 */
export function decideCompletion(
  stored: ToolCallRow,
  completion: ToolCallCompletion,
  around: Surroundings,
): ToolCallUpdate | undefined {
  refuseFlags(completion.metadata);
  const status = impliedStatus(completion) ?? 'succeeded';
  const wasClosedByRun = isToolCallTerminal(stored.status) && isAwaited(stored.metadata);
  if (isToolCallTerminal(stored.status) && !wasClosedByRun) {
    if (status === stored.status && agreesWith(stored, completion)) return undefined;
    throw new DomainError('already_completed', { members: { current_state: stored.status } });
  }
  if (!isToolCallTerminal(status)) {
    if (agreesWith(stored, completion)) return undefined;
    throw new DomainError('tool_call.transition_refused', {
      detail: 'A tool call is completed, and not otherwise changed.',
      members: { current_state: stored.status, allowed: ['succeeded', 'failed', 'cancelled'] },
    });
  }
  const isLate = around.status !== undefined && isTerminal(around.status);
  if (isLate && !around.in_grace) {
    throw new DomainError('run.final', { members: { current_state: around.status } });
  }
  const metadata = replaceMetadata(stored.metadata, completion.metadata);
  return {
    id: stored.id,
    status,
    result: completion.result ?? stored.result,
    error: completion.error ?? null,
    error_type: completion.error_type ?? null,
    ...timed({
      started_at: stored.started_at,
      ended_at: completion.ended_at ?? around.now,
      latency_ms: completion.latency_ms ?? (wasClosedByRun ? null : stored.latency_ms),
      metadata: isLate ? flagged(metadata, 'late') : metadata,
    }),
  };
}
