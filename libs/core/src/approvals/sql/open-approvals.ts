import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { nextXid } from '../../reporting/sql/event-xid.js';
import type { ApprovalRow } from '../approval-row.js';

/** An approval that is to be opened. */
export type ApprovalDraft = Pick<
  ApprovalRow,
  | 'id'
  | 'kind'
  | 'step_id'
  | 'tool_call_id'
  | 'payload'
  | 'arguments_hash'
  | 'allowed'
  | 'schema'
  | 'assignee'
  | 'due_at'
  | 'on_due'
  | 'is_implicit'
>;

const MEMBERS = `id uuid, kind text, step_id uuid, tool_call_id uuid, index integer, payload json, arguments_hash text,
  allowed jsonb, schema json, assignee text, due_at timestamptz, on_due text, is_implicit boolean`;
const NAMES = [...MEMBERS.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name as string);

const open = sql<{ id: string }>(
  'open-approvals',
  `WITH opened AS (
     INSERT INTO approvals (tenant_id, run_id, project_id, agent_id, ${NAMES.join(', ')})
     SELECT $1, runs.id, runs.project_id, runs.agent_id, ${NAMES.map((name) => `given.${name}`).join(', ')}
     FROM runs CROSS JOIN json_to_recordset($3) AS given (${MEMBERS}) WHERE runs.tenant_id = $1 AND runs.id = $2
     RETURNING id, kind, tool_call_id, index
   ), run AS (
     UPDATE runs SET last_event_seq = last_event_seq + (SELECT count(*) FROM opened),
       last_event_xid = ${nextXid('last_event_xid')} WHERE tenant_id = $1 AND id = $2
     RETURNING last_event_seq - (SELECT count(*) FROM opened) AS last_seq, last_event_xid
   ), event AS (
     INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, data, actor)
     SELECT $1, $2, last_seq + row_number() OVER (ORDER BY index), last_event_xid, 'approval.requested', id,
       json_build_object('approval_id', id, 'kind', kind, 'tool_call_id', tool_call_id), $4
     FROM opened, run
   )
   SELECT id FROM opened`,
);

/** Opens approvals of a held run, each with its event, in their order. */
export async function insertApprovals(
  tx: Transaction,
  runId: string,
  drafts: readonly ApprovalDraft[],
  actor: string | null,
): Promise<void> {
  tx.touch(runId);
  const given = RawJson.trusted(encodeJson(drafts.map((draft, index) => ({ ...draft, index }))));
  await tx.rows(open, [tx.scope.tenantId, runId, given, actor]);
}

/** What an approval refers to. */
export interface Subject {
  tool_call_id: string | null;
  step_id: string | null;
}

/** What stands behind it: the step, that of the tool call when none is named, and the arguments of the call. */
export interface SubjectRow {
  step_id: string | null;
  arguments: RawJson | null;
}

const subjects = sql<SubjectRow & { number: number }>(
  'find-approval-subjects',
  `SELECT asked.number, coalesce(asked.step_id, c.step_id) AS step_id, c.arguments
   FROM unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS asked (tool_call_id, step_id, number)
   LEFT JOIN LATERAL (SELECT id, step_id, arguments FROM tool_calls
     WHERE tenant_id = $1 AND id = asked.tool_call_id AND run_id = $2) c ON true
   LEFT JOIN LATERAL (SELECT id FROM steps
     WHERE tenant_id = $1 AND run_id = $2 AND id = asked.step_id) s ON true
   WHERE (asked.tool_call_id IS NULL OR c.id IS NOT NULL) AND (asked.step_id IS NULL OR s.id IS NOT NULL)
   ORDER BY asked.number`,
);

/** What each of them refers to in its run; undefined when one of them is not there. */
export async function findSubjects(
  tx: Transaction,
  runId: string,
  asked: readonly Subject[],
): Promise<SubjectRow[] | undefined> {
  const calls = asked.map(({ tool_call_id }) => tool_call_id) as string[];
  const steps = asked.map(({ step_id }) => step_id) as string[];
  const rows = await tx.rows(subjects, [tx.scope.tenantId, runId, calls, steps]);
  return rows.length === asked.length ? rows : undefined;
}
