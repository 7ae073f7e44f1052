import type { RunCommand, RunEventType, RunStatus } from '@agentflow/contracts';
import { gathered, scopeColumns, sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { RunHead } from '../../reporting/run-head.js';
import { rowOfEach } from '../../reporting/row-of-each.js';
import { appendEvent, nextEntry } from '../../reporting/sql/append-event.js';
import { nextXid } from '../../reporting/sql/event-xid.js';
import { heldRuns } from '../../reporting/sql/held-runs.js';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

/** A move with its content; a member that does not belong to the command is null. */
export interface RunMove {
  runId: string;
  command: RunCommand;
  from: readonly RunStatus[];
  to: RunStatus;
  event: RunEventType;
  output: RawJson | null;
  error: string | null;
  errorType: string | null;
  waitingFor: RawJson | null;
  resumeInput: RawJson | null;
  leaseSeconds: number | null;
  leaseToken: string | null;
  /** The key that acts. */
  actor: string | null;
}

/**
 * The run stands where the move begins. Written so that no index on the status can serve it: a plan that was made
 * while the table was empty would go through all runs of that status.
 */
const STANDS = 'array_position($5::text[], status) IS NOT NULL';

const NEXT_XID = `last_event_xid = ${nextXid('last_event_xid')}`;

const moveRun = sql<RunRow>(
  'move-run',
  `WITH run AS (
     UPDATE runs SET status = $6, last_move = $7, last_event_seq = last_event_seq + 1, ${NEXT_XID}, updated_at = now(),
       waiting_for = $8, resume_input = $9,
       started_at = CASE WHEN $7 = 'start' THEN coalesce(started_at, now()) ELSE started_at END,
       lease_seconds = coalesce($10, lease_seconds),
       lease_token = CASE WHEN $7 = 'start' AND coalesce($10, lease_seconds) IS NOT NULL
         THEN coalesce(lease_token, $11) ELSE lease_token END,
       lease_expires_at = CASE WHEN $7 IN ('start', 'resume')
         THEN now() + make_interval(secs => coalesce($10, lease_seconds)) ELSE lease_expires_at END
     WHERE ${VISIBLE_RUN} AND id = $4 AND ${STANDS}
     RETURNING ${RUN_COLUMNS}, last_event_seq, last_event_xid
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, data, actor)
     SELECT $1, id, last_event_seq, last_event_xid, $12, id, coalesce($8, $9), $13 FROM run
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/** What a final move writes to the run, whatever it is. */
const ENDED = 'updated_at = now(), ended_at = now(), waiting_for = NULL, lease_expires_at = NULL';

const openChildren = sql<{ id: string }>(
  'find-runs-with-open-children',
  `SELECT id FROM unnest($2::uuid[]) AS run (id)
   WHERE coalesce(
     (SELECT true FROM steps
       WHERE tenant_id = $1 AND run_id = run.id AND status IN ('pending', 'running', 'retrying') LIMIT 1),
     (SELECT true FROM tool_calls WHERE tenant_id = $1 AND run_id = run.id AND status = 'running' LIMIT 1))`,
);

const endHeldRuns = sql<RunRow>(
  'end-runs',
  `UPDATE runs SET status = given.to_status, last_move = given.command, output = given.result, error = given.failure,
     error_type = given.failure_type, ${ENDED}, last_event_seq = last_event_seq + 1, ${NEXT_XID}
   FROM ${heldRuns('to_status text, command text, result json, failure text, failure_type text')}
   WHERE tenant_id = $1 AND runs.ctid = given.place
   RETURNING ${RUN_COLUMNS}`,
);

/** What a final move writes to a step or tool call that is still open; `$7` is the command. */
const CLOSED = `updated_at = now(),
       status = CASE $7 WHEN 'fail' THEN 'failed' WHEN 'cancel' THEN 'cancelled' ELSE c.status END,
       error_type = CASE $7 WHEN 'fail' THEN 'run_ended' ELSE c.error_type END,
       ended_at = CASE $7 WHEN 'succeed' THEN c.ended_at ELSE now() END,
       latency_ms = CASE WHEN $7 <> 'succeed' AND c.started_at IS NOT NULL
         THEN coalesce(c.latency_ms, greatest(0, floor(extract(epoch FROM now() - c.started_at) * 1000)))
         ELSE c.latency_ms END,
       metadata = c.metadata || jsonb_build_object('agentflow.flags',
         coalesce(c.metadata -> 'agentflow.flags', '[]') || '["open_at_end"]' ||
         CASE WHEN $7 <> 'succeed' AND c.started_at > now() THEN '["ended_before_start"]' ELSE '[]'::jsonb END)`;

const endRunAndChildren = sql<RunRow>(
  'end-run-and-children',
  `WITH target AS (
     SELECT id FROM runs WHERE ${VISIBLE_RUN} AND id = $4 AND ${STANDS}
   ), open_step AS (
     UPDATE steps c SET ${CLOSED}
     WHERE c.tenant_id = $1 AND c.run_id = $4 AND EXISTS (SELECT FROM target) AND c.status IN ('pending', 'running', 'retrying')
     RETURNING c.id, c.status, c.index, c.node, c.parent_step_id
   ), open_call AS (
     UPDATE tool_calls c SET ${CLOSED}
     WHERE c.tenant_id = $1 AND c.run_id = $4 AND EXISTS (SELECT FROM target) AND c.status = 'running'
     RETURNING c.id, c.status, c.name, c.step_id, c.created_at
   ), closed AS (
     SELECT type, id, data, row_number() OVER (ORDER BY kind, index, created_at, id) AS number FROM (
       SELECT CASE $7 WHEN 'fail' THEN 'step.failed' ELSE 'step.completed' END AS type, 1 AS kind, index,
         NULL::timestamptz AS created_at, id,
         json_build_object('index', index, 'node', node, 'status', status, 'parent_step_id', parent_step_id) AS data
       FROM open_step
       UNION ALL
       SELECT 'tool_call.completed', 2, NULL, created_at, id,
         json_build_object('call_id', id, 'name', name, 'status', status, 'step_id', step_id)
       FROM open_call
     ) children WHERE $7 <> 'succeed'
   ), run AS (
     UPDATE runs SET status = $6, last_move = $7, output = $8, error = $9, error_type = $10, ${ENDED},
       failed_steps = failed_steps + CASE WHEN $7 = 'fail' THEN (SELECT count(*) FROM open_step) ELSE 0 END,
       failed_tool_calls = failed_tool_calls + CASE WHEN $7 = 'fail' THEN (SELECT count(*) FROM open_call) ELSE 0 END,
       last_event_seq = last_event_seq + 1 + (SELECT count(*) FROM closed), ${NEXT_XID}
     WHERE tenant_id = $1 AND id = $4 AND EXISTS (SELECT FROM target)
     RETURNING runs.*
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, data, actor)
     SELECT $1, run.id, run.last_event_seq - e.last + e.number, run.last_event_xid, e.type, e.id, e.data, $12
     FROM run, (
       SELECT type, id, data, number, 1 + (SELECT count(*) FROM closed) AS last FROM closed
       UNION ALL
       SELECT $11, $4, json_strip_nulls(json_build_object('error', $9::text, 'error_type', $10::text)),
         1 + (SELECT count(*) FROM closed), 1 + (SELECT count(*) FROM closed)
     ) e
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/**
 * Carries out a move when the run stands where the move begins, with its event; no row means that it does not, or
 * that it is out of sight. Of two at once one wins: the other finds the status changed.
 */
export async function move(tx: Transaction, m: RunMove): Promise<RunRow | undefined> {
  const run = [...scopeColumns(tx.scope), m.runId, m.from as string[], m.to, m.command];
  tx.touch(m.runId);
  return tx.row(moveRun, [
    ...run,
    m.waitingFor,
    m.resumeInput,
    m.leaseSeconds,
    m.leaseToken,
    m.event,
    m.actor,
  ]);
}

/** Whether steps or tool calls of a held run are still open. */
export const hasOpenChildren = gathered<string, boolean>({
  writes: false,
  carryOut: async (tx, runIds) => {
    const rows = await tx.rows(openChildren, [tx.scope.tenantId, runIds]);
    return runIds.map((runId) => rows.some(({ id }) => id === runId));
  },
});

const endHeld = gathered<RunMove, RunRow>({
  writes: true,
  carryOut: async (tx, moves) => {
    const records = moves.map((m) => ({
      run_id: m.runId,
      to_status: m.to,
      command: m.command,
      result: m.output,
      failure: m.error,
      failure_type: m.errorType,
    }));
    const rows = await tx.rows(endHeldRuns, [tx.scope.tenantId, RawJson.trusted(encodeJson(records))]);
    return rowOfEach(
      moves.map(({ runId: id }) => ({ id })),
      rows,
    ) as RunRow[];
  },
});

/** Carries out a final move on a held run that stands where it begins and leaves nothing open, as most do. */
export async function endRun(tx: Transaction, m: RunMove, head: RunHead): Promise<RunRow> {
  const data = { error: m.error ?? undefined, error_type: m.errorType ?? undefined };
  const event = nextEntry(head, { type: m.event, entity_id: m.runId, data, actor: m.actor });
  const [row] = await tx.conclude(endHeld(tx, m), appendEvent(tx, event));
  return row;
}

/**
 * Carries out a final move on a held run. Steps and tool calls that are still open are closed with it after a
 * failure or a cancellation, each with its event, and only flagged after a success; the run's own event is the last.
 */
export async function endRunWithChildren(tx: Transaction, m: RunMove): Promise<RunRow | undefined> {
  const run = [...scopeColumns(tx.scope), m.runId, m.from as string[], m.to, m.command];
  tx.touch(m.runId);
  return tx.row(endRunAndChildren, [...run, m.output, m.error, m.errorType, m.event, m.actor]);
}
