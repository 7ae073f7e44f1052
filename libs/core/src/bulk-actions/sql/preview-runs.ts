import { scopeColumns, sql, type Statement, type Transaction } from '@agentflow/database';
import type { RunSummaryRow } from '../../runs/run-row.js';
import { runList, type RunFilters } from '../../runs/sql/list-runs.js';
import { RUN_SUMMARY_COLUMNS, VISIBLE_RUN } from '../../runs/sql/run-columns.js';

const named = sql<RunSummaryRow>(
  'find-named-runs',
  `SELECT run.* FROM unnest($4::uuid[]) AS named (id) CROSS JOIN LATERAL (
     SELECT ${RUN_SUMMARY_COLUMNS} FROM runs WHERE ${VISIBLE_RUN} AND id = named.id LIMIT 1) AS run
   ORDER BY run.created_at DESC, run.id DESC`,
);

/** Those of the runs that the scope sees, newest first. */
export function findNamedRuns(tx: Transaction, ids: readonly string[]): Promise<RunSummaryRow[]> {
  return tx.rows(named, [...scopeColumns(tx.scope), ids]);
}

const COUNTS = new Map<string, Statement<{ count: number }>>();

/** How many runs the scope sees and the filters let through; counted no further than `most`. */
export async function countRuns(tx: Transaction, filters: RunFilters, most: number): Promise<number> {
  const { statement, values } = runList(tx, filters, { limit: most, after: undefined });
  const { name, text } = statement;
  const count =
    COUNTS.get(name) ?? sql(`count-${name}`, `SELECT count(*)::integer AS count FROM (${text}) AS listed`);
  COUNTS.set(name, count);
  return (await tx.row(count, values))?.count ?? 0;
}
