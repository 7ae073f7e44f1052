import type { ToolCallStatus } from '@agentflow/contracts';
import { DomainError, RawJson, isTerminal, isToolCallTerminal } from '@agentflow/domain';
import { flagged, hasFlag, replaceMetadata } from '../reporting/flags.js';
import { timed } from '../reporting/latency.js';
import type { RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import type { ToolCallUpdate } from './sql/complete-tool-calls.js';
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
export function toolCallDraft({ agentId, runId }: CallPlace, id: string, call: NewToolCall): ToolCallDraft {
  return {
    id,
    agent_id: agentId,
    run_id: runId,
    step_id: call.step_id ?? null,
    name: call.name,
    status: impliedStatus(call) ?? 'running',
    arguments: call.arguments ?? null,
    result: call.result ?? null,
    error: call.error ?? null,
    error_type: call.error_type ?? null,
    provider_call_id: call.provider_call_id ?? null,
    started_at: call.started_at ?? null,
    ended_at: call.ended_at ?? null,
    ...timed(
      call.latency_ms ?? null,
      call.started_at ?? null,
      call.ended_at ?? null,
      call.metadata ?? RawJson.trusted('{}'),
    ),
  };
}

/**
 * What a completion makes of a stored call, or `undefined` when it says nothing new. The first completion wins; a
 * call that was closed only because its run ended may still be completed within the run's minute of grace, and is
 * then marked as late. A call outside runs (`head` absent) has no such end.
 */
export function decideCompletion(
  stored: ToolCallRow,
  completion: ToolCallCompletion,
  head: RunHead | undefined,
): ToolCallUpdate | undefined {
  const status = impliedStatus(completion) ?? 'succeeded';
  const wasClosedByRun = hasFlag(stored.metadata, 'open_at_end') && !hasFlag(stored.metadata, 'late');
  if (isToolCallTerminal(stored.status) && !wasClosedByRun) {
    if (status === stored.status && agreesWith(stored, completion)) return undefined;
    throw new DomainError('already_completed', { members: { current_state: stored.status } });
  }
  if (!isToolCallTerminal(status)) {
    if (agreesWith(stored, completion)) return undefined;
    throw new DomainError('step.transition_refused', {
      detail: 'A tool call is completed, and not otherwise changed.',
      members: { current_state: stored.status, allowed: ['succeeded', 'failed', 'cancelled'] },
    });
  }
  const isLate = head !== undefined && isTerminal(head.status);
  if (isLate && !head.in_grace)
    throw new DomainError('run.final', { members: { current_state: head.status } });
  return updateOf(stored, completion, status, isLate);
}

function updateOf(
  stored: ToolCallRow,
  completion: ToolCallCompletion,
  status: ToolCallStatus,
  isLate: boolean,
): ToolCallUpdate {
  const metadata =
    completion.metadata === undefined
      ? stored.metadata
      : replaceMetadata(stored.metadata, completion.metadata);
  const endedAt = completion.ended_at ?? null;
  return {
    id: stored.id,
    status,
    result: completion.result ?? stored.result,
    error: completion.error ?? null,
    error_type: completion.error_type ?? null,
    ended_at: endedAt,
    ...timed(
      completion.latency_ms ?? null,
      stored.started_at,
      endedAt,
      isLate ? flagged(metadata, 'late') : metadata,
    ),
  };
}
