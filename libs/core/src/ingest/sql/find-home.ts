import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { REACHED_AGENT } from '../../agents/sql/agent-columns.js';

interface Home {
  id: string;
  name: string;
}

const oldestProject = sql<Home>(
  'find-oldest-project',
  `SELECT id, name FROM projects WHERE tenant_id = $1 ORDER BY created_at, id LIMIT 1`,
);
const projectById = sql<Home>(
  'find-home-project',
  `SELECT id, name FROM projects WHERE tenant_id = $1 AND id = $2 LIMIT 1`,
);
const projectByName = sql<Home>(
  'find-project-by-name',
  `SELECT id, name FROM projects WHERE tenant_id = $1 AND name = $2 LIMIT 1`,
);
const ownProject = sql<Home>(
  'find-project-of-agent',
  `SELECT project_id AS id, '' AS name FROM agents WHERE ${REACHED_AGENT} AND id = $3 LIMIT 1`,
);

/**
 * The project that a run belongs to when nobody says so: the key's own; for an organization's key the one that the
 * reporter calls by name, and else its oldest. Nothing in an organization without projects.
 */
export async function findHome(tx: Transaction, name?: string): Promise<Home | undefined> {
  const { scope } = tx;
  if (scope.kind === 'agent') return tx.row(ownProject, scopeColumns(scope));
  if (scope.kind === 'project') return tx.row(projectById, [scope.tenantId, scope.projectId]);
  const named = name === undefined ? undefined : await tx.row(projectByName, [scope.tenantId, name]);
  return named ?? tx.row(oldestProject, [scope.tenantId]);
}
