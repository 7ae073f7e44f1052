import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import { VISIBLE_AGENT } from '../../agents/sql/agent-columns.js';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

export interface RunDraft {
  id: string;
  agentId: string;
  start: boolean;
  adapter: string | null;
  name: string | null;
  input: RawJson | null;
  metadata: RawJson | null;
  tags: RawJson | null;
  sessionId: string | null;
  externalId: string | null;
  parentRunId: string | null;
  leaseSeconds: number | null;
  leaseToken: string | null;
  startedAt: string | null;
}

const insertRun = sql<RunRow>(
  'insert-run',
  `WITH agent AS (
     SELECT id, project_id, version, adapter FROM agents WHERE ${VISIBLE_AGENT} AND id = $4
   ), run AS (
     INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, last_move, name, input,
       metadata, tags, session_id, external_id, parent_run_id, origin, started_at, lease_seconds, lease_token,
       lease_expires_at, last_event_seq)
     SELECT $1, $5, project_id, id, version, coalesce($6, adapter), CASE WHEN $7 THEN 'running' ELSE 'pending' END,
       CASE WHEN $7 THEN 'start' END, $8, $9, coalesce($10::jsonb, '{}'), coalesce($11::jsonb, '[]'), $12, $13,
       $14, CASE WHEN $14::uuid IS NOT NULL THEN 'subagent' END, coalesce($15::timestamptz, CASE WHEN $7 THEN now() END),
       $16, $17, CASE WHEN $7 THEN now() + make_interval(secs => $16::integer) END, CASE WHEN $7 THEN 2 ELSE 1 END
     FROM agent
     WHERE ($14::uuid IS NULL OR EXISTS (SELECT FROM runs WHERE ${VISIBLE_RUN} AND id = $14))
       AND NOT EXISTS (SELECT FROM deleted_runs WHERE tenant_id = $1 AND run_id = $5
         AND deleted_at > now() - interval '24 hours')
     ON CONFLICT DO NOTHING
     RETURNING ${RUN_COLUMNS}, last_event_seq
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, actor)
     SELECT $1, run.id, e.seq, e.type, run.id, $18 FROM run
     JOIN (VALUES (1, 'run.created'), (2, 'run.started')) AS e (seq, type) ON e.seq <= run.last_event_seq
   )
   SELECT ${RUN_COLUMNS} FROM run`,
);

/**
 * Writes a run with its first events, pinned to the agent's present version and project. No row comes back when
 * the agent or the parent is out of sight, the id or the external id is taken, or the run was deleted: the caller
 * finds out which. A replay writes nothing.
 */
export async function insertNewRun(
  tx: Transaction,
  draft: RunDraft,
  keyId: string | null,
): Promise<RunRow | undefined> {
  return tx.row(insertRun, [
    ...scopeColumns(tx.scope),
    draft.agentId,
    draft.id,
    draft.adapter,
    draft.start,
    draft.name,
    draft.input,
    draft.metadata,
    draft.tags,
    draft.sessionId,
    draft.externalId,
    draft.parentRunId,
    draft.startedAt,
    draft.leaseSeconds,
    draft.leaseToken,
    keyId,
  ]);
}
