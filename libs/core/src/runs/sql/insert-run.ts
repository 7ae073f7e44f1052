import { gathered, scopeColumns, sql } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { VISIBLE_AGENT } from '../../agents/sql/agent-columns.js';
import { rowOfEach } from '../../reporting/row-of-each.js';
import { nextXid } from '../../reporting/sql/event-xid.js';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

/** A run to be written, as the columns have it. */
export interface RunDraft {
  id: string;
  agent_id: string;
  /** The definition that the reporter stated, when it did: a bump that comes in between is not the run's. */
  agent_version: number | null;
  agent_adapter: string | null;
  start: boolean;
  adapter: string | null;
  name: string | null;
  input: RawJson | null;
  metadata: RawJson | null;
  tags: RawJson | null;
  session_id: string | null;
  external_id: string | null;
  parent_run_id: string | null;
  lease_seconds: number | null;
  lease_token: string | null;
  started_at: string | null;
  /** The key that acts. */
  actor: string | null;
}

const insertRuns = sql<RunRow>(
  'insert-runs',
  `WITH draft AS (
     SELECT d.*, agent.project_id, coalesce(d.agent_version, agent.version) AS version,
       coalesce(d.adapter, d.agent_adapter, agent.adapter) AS run_adapter
     FROM json_to_recordset($4) AS d (id uuid, agent_id uuid, agent_version integer, agent_adapter text,
       start boolean, adapter text, name text, input json,
       metadata jsonb, tags jsonb, session_id text, external_id text, parent_run_id uuid, lease_seconds integer,
       lease_token uuid, started_at timestamptz, actor uuid)
     CROSS JOIN LATERAL (
       SELECT project_id, version, adapter FROM agents WHERE ${VISIBLE_AGENT} AND id = d.agent_id LIMIT 1) agent
     WHERE (d.parent_run_id IS NULL
         OR (SELECT true FROM runs WHERE ${VISIBLE_RUN} AND id = d.parent_run_id LIMIT 1))
       AND (SELECT true FROM deleted_runs WHERE tenant_id = $1 AND run_id = d.id
         AND deleted_at > now() - interval '24 hours' LIMIT 1) IS NULL
   ), run AS (
     INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, last_move, name, input,
       metadata, tags, session_id, external_id, parent_run_id, origin, started_at, lease_seconds, lease_token,
       lease_expires_at, last_event_seq, last_event_xid)
     SELECT $1, id, project_id, agent_id, version, run_adapter, CASE WHEN start THEN 'running' ELSE 'pending' END,
       CASE WHEN start THEN 'start' END, name, input, coalesce(metadata, '{}'), coalesce(tags, '[]'), session_id,
       external_id, parent_run_id, CASE WHEN parent_run_id IS NOT NULL THEN 'subagent' END,
       coalesce(started_at, CASE WHEN start THEN now() END), lease_seconds, lease_token,
       CASE WHEN start THEN now() + make_interval(secs => lease_seconds) END,
       CASE WHEN start THEN 2 ELSE 1 END, ${nextXid('0')}
     FROM draft
     ON CONFLICT DO NOTHING
     RETURNING ${RUN_COLUMNS}, last_event_seq, last_event_xid
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, actor)
     SELECT $1, run.id, e.seq, run.last_event_xid, e.type, run.id, (SELECT actor FROM draft WHERE draft.id = run.id LIMIT 1) FROM run
     JOIN (VALUES (1, 'run.created'), (2, 'run.started')) AS e (seq, type) ON e.seq <= run.last_event_seq
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/**
 * Writes a run with its first events, pinned to the agent's present version and project. No row comes back when
 * the agent or the parent is out of sight, the id or the external id is taken, or the run was deleted: the caller
 * finds out which. A replay writes nothing.
 */
export const insertNewRun = gathered<RunDraft, RunRow | undefined>({
  writes: true,
  carryOut: async (tx, drafts) => {
    for (const { id } of drafts) tx.touch(id);
    const rows = await tx.rows(insertRuns, [...scopeColumns(tx.scope), RawJson.trusted(encodeJson(drafts))]);
    return rowOfEach(drafts, rows);
  },
});
