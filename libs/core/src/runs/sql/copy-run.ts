import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import { VISIBLE_AGENT } from '../../agents/sql/agent-columns.js';
import { nextXid } from '../../reporting/sql/event-xid.js';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

/** A run that is to be made of another; what is null is as in the source. */
export interface RunCopy {
  id: string;
  sourceId: string;
  origin: 'retry' | 'fork';
  /** The checkpoint of the source that a fork begins with. */
  checkpointId: string | null;
  /** JSON `null` is an input, too. */
  input: RawJson | null;
  agentVersion: number | null;
  reuse: 'recorded_tool_results' | null;
  reason: string | null;
  /** The key that acts. */
  actor: string | null;
}

/** Row security would not look a version up by `coalesce` in an index, and would go through all that the agent has. */
const copyRun = sql<RunRow>(
  'copy-run',
  `WITH source AS (
     SELECT runs.*, agent.project_id AS home_id, version.version AS pinned, version.adapter AS version_adapter
     FROM (
       SELECT *, coalesce($9::integer, agent_version) AS wanted FROM runs WHERE ${VISIBLE_RUN} AND id = $4 LIMIT 1
     ) AS runs
     CROSS JOIN LATERAL (
       SELECT project_id FROM agents WHERE ${VISIBLE_AGENT} AND id = runs.agent_id LIMIT 1) AS agent
     CROSS JOIN LATERAL (
       SELECT version, adapter FROM agent_versions
       WHERE tenant_id = $1 AND agent_id = runs.agent_id AND version = runs.wanted LIMIT 1) AS version
   ), run AS (
     INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, name, input, metadata, tags,
       session_id, parent_run_id, origin, from_checkpoint_id, reuse, last_event_seq,
       last_event_xid)
     SELECT $1, $5, home_id, agent_id, pinned, CASE WHEN $9 IS NULL THEN adapter ELSE version_adapter END, 'pending', name,
       CASE WHEN $8::text IS NULL THEN input WHEN $8 <> 'null' THEN $8::json END, metadata, tags,
       session_id, id, $6, $7, $10, 1, ${nextXid('0')}
     FROM source
     RETURNING ${RUN_COLUMNS}
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
     SELECT $1, id, 1, 'run.created', id, json_strip_nulls(json_build_object('origin', origin,
       'parent_run_id', parent_run_id, 'from_checkpoint_id', from_checkpoint_id, 'reuse', $10::text, 'reason', $11::text)), $12
     FROM run
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/**
 * Writes a pending run that is linked to its source, with its first event; the source is only read. No row when the
 * source, its agent or the version is not there or out of sight.
 */
export async function writeCopy(tx: Transaction, copy: RunCopy): Promise<RunRow | undefined> {
  tx.touch(copy.id);
  return tx.row(copyRun, [
    ...scopeColumns(tx.scope),
    copy.sourceId,
    copy.id,
    copy.origin,
    copy.checkpointId,
    copy.input,
    copy.agentVersion,
    copy.reuse,
    copy.reason,
    copy.actor,
  ]);
}
