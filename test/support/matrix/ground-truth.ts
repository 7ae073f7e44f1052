import type { ClientBase } from 'pg';
import type { Caller } from './callers.js';

/** Of the columns that a table keeps for it: what a key sees. `$1` tenant, `$2` project or null, `$3` agent or null. */
const VISIBLE = `tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR agent_id = $3)`;
const NEWEST = 'ORDER BY created_at DESC, id DESC';
const BELOW = `tenant_id = $1 AND run_id = $4 AND run_id IN (SELECT id FROM runs WHERE ${VISIBLE})`;
const MADE_BY = `tenant_id = $1 AND agent_id = $4
  AND agent_id IN (SELECT id FROM agents WHERE tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
    AND ($3::uuid IS NULL OR id = $3))`;

/**
 * What every list must show, by its route: which rows, by what identifies them, and in which order. `$4` is what the
 * list belongs to. A list that is not here fails the suite.
 */
export const LISTS: Readonly<Record<string, string>> = {
  '/v1/projects': `SELECT id FROM projects WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id = $2) AND $3::uuid IS NULL
    ${NEWEST}`,
  '/v1/agents': `SELECT id FROM agents WHERE tenant_id = $1 AND ($2::uuid IS NULL OR project_id = $2)
    AND ($3::uuid IS NULL OR id = $3) ${NEWEST}`,
  '/v1/model-prices': `SELECT id FROM model_prices WHERE tenant_id = $1 ${NEWEST}`,
  '/v1/api-keys': `SELECT id FROM api_keys WHERE ${VISIBLE} ${NEWEST}`,
  '/v1/bulk-actions': `SELECT id FROM bulk_actions WHERE ${VISIBLE} ${NEWEST}`,
  '/v1/approvals': `SELECT id FROM approvals WHERE run_id IN (SELECT id FROM runs WHERE ${VISIBLE}) ${NEWEST}`,
  '/v1/audit-log': `SELECT id FROM audit_log WHERE ${VISIBLE} ORDER BY at DESC, id DESC`,
  '/v1/runs': `SELECT id FROM runs WHERE ${VISIBLE} ${NEWEST}`,
  '/v1/agents/:agent_id/versions': `SELECT version AS id FROM agent_versions WHERE ${MADE_BY} ORDER BY version DESC`,
  '/v1/agents/:agent_id/tool-calls': `SELECT id FROM tool_calls WHERE ${MADE_BY} AND run_id IS NULL ${NEWEST}`,
  '/v1/runs/:run_id/steps': `SELECT id FROM steps WHERE ${BELOW} ORDER BY index`,
  '/v1/runs/:run_id/messages': `SELECT id FROM messages WHERE ${BELOW} ORDER BY index`,
  '/v1/runs/:run_id/tool-calls': `SELECT id FROM tool_calls WHERE ${BELOW} ORDER BY created_at, id`,
  '/v1/runs/:run_id/checkpoints': `SELECT id FROM checkpoints WHERE ${BELOW} ORDER BY index`,
};

/** The ids that a list must show to a caller, as the superuser sees the tables. */
export async function trueIds(
  superuser: ClientBase,
  list: string,
  { scope, home }: Caller,
  owner: string | null,
): Promise<string[]> {
  const text = LISTS[list] as string;
  const columns = [
    home.organizationId,
    scope === 'project' ? home.projectId : null,
    scope === 'agent' ? home.agentId : null,
  ];
  const values = text.includes('$4') ? [...columns, owner] : columns;
  const typed = `WITH typed AS (SELECT $1::uuid, $2::uuid, $3::uuid) ${text}`;
  const { rows } = await superuser.query<{ id: string | number }>(typed, values);
  return rows.map(({ id }) => String(id));
}
