import { APPROVAL_STATUSES, type ApprovalKind, type ApprovalStatus } from '@agentflow/contracts';
import {
  scopeColumns,
  sql,
  type Parameter,
  type Slice,
  type Statement,
  type Transaction,
} from '@agentflow/database';
import type { ApprovalSummaryRow } from '../approval-row.js';
import { APPROVAL_SUMMARY_COLUMNS } from './approval-columns.js';

export interface ApprovalFilters {
  status?: ApprovalStatus[];
  run_id?: string;
  agent_id?: string;
  project_id?: string;
  assignee?: string;
  kind?: ApprovalKind;
}

const FILTERS = [
  ['run_id', 'uuid'],
  ['agent_id', 'uuid'],
  ['project_id', 'uuid'],
  ['assignee', 'text'],
  ['kind', 'text'],
] as const satisfies [keyof ApprovalFilters, string][];

const ORDERED = 'ORDER BY created_at DESC, id DESC';
const STATEMENTS = new Map<string, Statement<ApprovalSummaryRow>>();

/**
 * The approvals that the scope sees and the filters let through, newest first. Every index of the inbox leads by the
 * status, so each status is read in the order of an index, and the few first rows of each are merged. Statements differ
 * by which filters are given and by the number of statuses: a few hundred texts at most.
 */
export async function listApprovals(
  tx: Transaction,
  filters: ApprovalFilters,
  slice: Slice,
): Promise<ApprovalSummaryRow[]> {
  const values: Parameter[] = [];
  const bind = (value: Parameter): string => `$${values.push(value)}`;
  const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
  const conditions = [`tenant_id = ${bind(tenantId)}`];
  if (projectId !== null) conditions.push(`project_id = ${bind(projectId)}::uuid`);
  if (agentId !== null) conditions.push(`agent_id = ${bind(agentId)}::uuid`);
  const given = FILTERS.filter(([name]) => filters[name] !== undefined);
  for (const [name, type] of given) conditions.push(`${name} = ${bind(filters[name])}::${type}`);
  if (slice.after) {
    const [at, after] = slice.after;
    conditions.push(`(created_at, id) < (${bind(at)}::timestamptz, ${bind(after)}::uuid)`);
  }
  const statuses = (filters.status ?? APPROVAL_STATUSES).map((status) => bind(status));
  const limit = bind(slice.limit);
  const names = given.map(([name]) => name);
  const shape = [tx.scope.kind, ...names, slice.after ? 'after' : '', statuses.length].join('+');
  const statement = STATEMENTS.get(shape) ?? statementFor(conditions, statuses, limit);
  STATEMENTS.set(shape, statement);
  return tx.rows(statement, values);
}

function statementFor(
  conditions: readonly string[],
  statuses: readonly string[],
  limit: string,
): Statement<ApprovalSummaryRow> {
  const ofEach = statuses.map(
    (status) =>
      `(SELECT ${APPROVAL_SUMMARY_COLUMNS} FROM approvals WHERE ${[...conditions, `status = ${status}`].join(' AND ')}
        ${ORDERED} LIMIT ${limit})`,
  );
  const text = `SELECT * FROM (${ofEach.join(' UNION ALL ')}) approvals ${ORDERED} LIMIT ${limit}`;
  return sql(`list-approvals-${STATEMENTS.size}`, text);
}
