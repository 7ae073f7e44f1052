import type { RunStatus } from '@agentflow/contracts';
import {
  scopeColumns,
  sql,
  type Parameter,
  type Slice,
  type Statement,
  type Transaction,
} from '@agentflow/database';
import { RawJson } from '@agentflow/domain';
import type { RunSummaryRow } from '../run-row.js';
import { RUN_SUMMARY_COLUMNS } from './run-columns.js';

export interface RunFilters {
  project_id?: string;
  agent_id?: string;
  status?: RunStatus[];
  adapter?: string;
  session_id?: string;
  parent_run_id?: string;
  created_after?: string;
  created_before?: string;
  tag?: string;
}

type Condition = (parameter: string) => string;

/** One condition a filter; the order is that of the text, so that equal filters make equal texts. */
const CONDITIONS: [keyof Omit<RunFilters, 'status'>, Condition][] = [
  ['project_id', (p) => `project_id = ${p}::uuid`],
  ['agent_id', (p) => `agent_id = ${p}::uuid`],
  ['adapter', (p) => `adapter = ${p}`],
  ['session_id', (p) => `session_id = ${p}`],
  ['parent_run_id', (p) => `parent_run_id = ${p}::uuid`],
  ['created_after', (p) => `created_at > ${p}::timestamptz`],
  ['created_before', (p) => `created_at < ${p}::timestamptz`],
  ['tag', (p) => `tags @> ${p}::jsonb`],
];

const ORDERED = 'ORDER BY created_at DESC, id DESC';
const STATEMENTS = new Map<string, Statement<RunSummaryRow>>();

/** Statements differ by which filters are given, never by their values: a few hundred texts at most. */
function statementFor(
  shape: string,
  conditions: string[],
  statuses: string[],
  limit: string,
): Statement<RunSummaryRow> {
  const known = STATEMENTS.get(shape);
  if (known) return known;
  const select = (more: string[]): string =>
    `SELECT ${RUN_SUMMARY_COLUMNS} FROM runs WHERE ${[...conditions, ...more].join(' AND ')} ${ORDERED} LIMIT ${limit}`;
  // Each status is read in the order of ix_runs_status, and the few first rows of each are merged: an ANY over
  // several would have to sort all that match.
  const text =
    statuses.length > 1
      ? `SELECT * FROM (${statuses.map((p) => `(${select([`status = ${p}`])})`).join(' UNION ALL ')}) runs
         ${ORDERED} LIMIT ${limit}`
      : select(statuses.map((p) => `status = ${p}`));
  const statement = sql<RunSummaryRow>(`list-runs-${STATEMENTS.size}`, text);
  STATEMENTS.set(shape, statement);
  return statement;
}

/** The statement and its values, for one scope, one set of filters and one slice. */
export function runList(
  tx: Pick<Transaction, 'scope'>,
  filters: RunFilters,
  slice: Slice,
): { statement: Statement<RunSummaryRow>; values: Parameter[] } {
  const values: Parameter[] = [];
  const bind = (value: Parameter): string => `$${values.push(value)}`;
  const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
  const conditions = [`tenant_id = ${bind(tenantId)}`];
  if (projectId !== null) conditions.push(`project_id = ${bind(projectId)}::uuid`);
  if (agentId !== null) conditions.push(`agent_id = ${bind(agentId)}::uuid`);
  const given = CONDITIONS.filter(([name]) => filters[name] !== undefined);
  for (const [name, condition] of given)
    conditions.push(condition(bind(bound(name, filters[name] as string))));
  if (slice.after) {
    const [at, after] = slice.after;
    conditions.push(`(created_at, id) < (${bind(at)}::timestamptz, ${bind(after)}::uuid)`);
  }
  const statuses = (filters.status ?? []).map((status) => bind(status));
  const limit = bind(slice.limit);
  const shape = [
    tx.scope.kind,
    ...given.map(([name]) => name),
    slice.after ? 'after' : '',
    statuses.length,
  ].join('+');
  return { statement: statementFor(shape, conditions, statuses, limit), values };
}

function bound(name: string, value: string): Parameter {
  return name === 'tag' ? RawJson.trusted(JSON.stringify([value])) : value;
}

/** The runs that the scope sees and the filters let through, newest first. */
export async function listRuns(tx: Transaction, filters: RunFilters, slice: Slice): Promise<RunSummaryRow[]> {
  const { statement, values } = runList(tx, filters, slice);
  return tx.rows(statement, values);
}
