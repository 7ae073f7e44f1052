import type { RunCommand, RunEventType, RunStatus } from '@agentflow/contracts';
import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { RawJson } from '@agentflow/domain';
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
}

/**
 * The run stands where the move begins. Written so that no index on the status can serve it: a plan that was made
 * while the table was empty would go through all runs of that status.
 */
const STANDS = 'array_position($5::text[], status) IS NOT NULL';

const moveRun = sql<RunRow>(
  'move-run',
  `WITH run AS (
     UPDATE runs SET status = $6, last_move = $7, last_event_seq = last_event_seq + 1, updated_at = now(),
       waiting_for = $8, resume_input = $9,
       started_at = CASE WHEN $7 = 'start' THEN coalesce(started_at, now()) ELSE started_at END,
       lease_seconds = coalesce($10, lease_seconds),
       lease_token = CASE WHEN $7 = 'start' AND coalesce($10, lease_seconds) IS NOT NULL
         THEN coalesce(lease_token, $11) ELSE lease_token END,
       lease_expires_at = CASE WHEN $7 IN ('start', 'resume')
         THEN now() + make_interval(secs => coalesce($10, lease_seconds)) ELSE lease_expires_at END
     WHERE ${VISIBLE_RUN} AND id = $4 AND ${STANDS}
     RETURNING ${RUN_COLUMNS}, last_event_seq
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
     SELECT $1, id, last_event_seq, $12, id, coalesce($8, $9), $13 FROM run
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/** What a final move writes to the run. */
const ENDED = `status = $6, last_move = $7, updated_at = now(), ended_at = now(),
       output = $8, error = $9, error_type = $10, waiting_for = NULL, lease_expires_at = NULL`;

/** What the event of a final move says. */
const END_DATA = `json_strip_nulls(json_build_object('error', $9::text, 'error_type', $10::text))`;

const openChildren = sql<{ exist: boolean }>(
  'has-open-children',
  `SELECT EXISTS (SELECT FROM steps WHERE tenant_id = $1 AND run_id = $2 AND status IN ('pending', 'running', 'retrying'))
     OR EXISTS (SELECT FROM tool_calls WHERE tenant_id = $1 AND run_id = $2 AND status = 'running') AS exist`,
);

const endRun = sql<RunRow>(
  'end-run',
  `WITH run AS (
     UPDATE runs SET ${ENDED}, last_event_seq = last_event_seq + 1
     WHERE ${VISIBLE_RUN} AND id = $4 AND ${STANDS}
     RETURNING ${RUN_COLUMNS}, last_event_seq
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
     SELECT $1, id, last_event_seq, $11, id, ${END_DATA}, $12 FROM run
   )
   SELECT ${RUN_COLUMNS} FROM run`,
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
     UPDATE runs SET ${ENDED},
       failed_steps = failed_steps + CASE WHEN $7 = 'fail' THEN (SELECT count(*) FROM open_step) ELSE 0 END,
       failed_tool_calls = failed_tool_calls + CASE WHEN $7 = 'fail' THEN (SELECT count(*) FROM open_call) ELSE 0 END,
       last_event_seq = last_event_seq + 1 + (SELECT count(*) FROM closed)
     WHERE tenant_id = $1 AND id = $4 AND EXISTS (SELECT FROM target)
     RETURNING runs.*
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
     SELECT $1, run.id, run.last_event_seq - e.last + e.number, e.type, e.id, e.data, $12
     FROM run, (
       SELECT type, id, data, number, 1 + (SELECT count(*) FROM closed) AS last FROM closed
       UNION ALL
       SELECT $11, $4, ${END_DATA},
         1 + (SELECT count(*) FROM closed), 1 + (SELECT count(*) FROM closed)
     ) e
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/**
 * Carries out a move when the run stands where the move begins, with its event; no row means that it does not, or
 * that it is out of sight. Of two at once one wins: the other finds the status changed.
 */
export async function move(tx: Transaction, m: RunMove, keyId: string | null): Promise<RunRow | undefined> {
  const run = [...scopeColumns(tx.scope), m.runId, m.from as string[], m.to, m.command];
  return tx.row(moveRun, [...run, m.waitingFor, m.resumeInput, m.leaseSeconds, m.leaseToken, m.event, keyId]);
}

/** Whether steps or tool calls of a held run are still open. */
export async function hasOpenChildren(tx: Transaction, runId: string): Promise<boolean> {
  return (await tx.row(openChildren, [tx.scope.tenantId, runId]))?.exist ?? false;
}

/**
 * Carries out a final move on a held run. Steps and tool calls that are still open are closed with it after a
 * failure or a cancellation, each with its event, and only flagged after a success; the run's own event is the last.
 * Most runs leave nothing open, and the statement that closes nothing takes a third of the time.
 */
export async function end(
  tx: Transaction,
  m: RunMove,
  keyId: string | null,
  isAnythingOpen: boolean,
): Promise<RunRow | undefined> {
  const run = [...scopeColumns(tx.scope), m.runId, m.from as string[], m.to, m.command];
  const statement = isAnythingOpen ? endRunAndChildren : endRun;
  return tx.row(statement, [...run, m.output, m.error, m.errorType, m.event, keyId]);
}
