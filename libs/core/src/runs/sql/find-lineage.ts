import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RunSummaryRow } from '../run-row.js';
import { RUN_SUMMARY_COLUMNS, VISIBLE_RUN } from './run-columns.js';

/** How many runs are shown above a run, and below it. */
export const MOST_RELATIVES = 200;

/** What is found by its id, whatever is estimated; what the scope does not see ends the way. */
const EACH_FOUND = `CROSS JOIN LATERAL (
     SELECT ${RUN_SUMMARY_COLUMNS} FROM runs WHERE ${VISIBLE_RUN} AND id = found.id LIMIT 1) AS run`;

const ancestors = sql<RunSummaryRow>(
  'find-lineage-above',
  `WITH RECURSIVE way AS (
     SELECT id, parent_run_id, 0 AS depth FROM runs WHERE ${VISIBLE_RUN} AND id = $4
     UNION ALL
     SELECT parent.id, parent.parent_run_id, way.depth + 1 FROM way CROSS JOIN LATERAL (
       SELECT id, parent_run_id FROM runs WHERE ${VISIBLE_RUN} AND id = way.parent_run_id LIMIT 1) AS parent
     WHERE way.depth <= ${MOST_RELATIVES}
   ) CYCLE id SET is_known USING path
   SELECT run.* FROM (SELECT id, depth FROM way WHERE depth > 0 AND NOT is_known) AS found ${EACH_FOUND}
   ORDER BY depth`,
);

const descendants = sql<RunSummaryRow>(
  'find-lineage-below',
  `WITH RECURSIVE way AS (
     SELECT id, 0 AS depth FROM runs WHERE ${VISIBLE_RUN} AND id = $4
     UNION ALL
     SELECT child.id, way.depth + 1 FROM way CROSS JOIN LATERAL (
       SELECT id FROM runs WHERE ${VISIBLE_RUN} AND parent_run_id = way.id
       ORDER BY created_at DESC, id DESC LIMIT ${MOST_RELATIVES} + 1) AS child
     WHERE way.depth <= ${MOST_RELATIVES}
   ) CYCLE id SET is_known USING path
   SELECT run.* FROM (
     SELECT id, depth FROM way WHERE depth > 0 AND NOT is_known LIMIT ${MOST_RELATIVES} + 1
   ) AS found ${EACH_FOUND}
   ORDER BY depth, run.created_at DESC, run.id DESC`,
);

/** The runs that a run comes from, the nearest first; one more than is shown when there are more. */
export function findAncestors(tx: Transaction, id: string): Promise<RunSummaryRow[]> {
  return tx.rows(ancestors, [...scopeColumns(tx.scope), id]);
}

/**
 * The runs that came from a run, level by level, the newest of each parent first (`ix_runs_parent_run_id`); one more than
 * is shown when there are more. No more is read than that, however many there are.
 */
export function findDescendants(tx: Transaction, id: string): Promise<RunSummaryRow[]> {
  return tx.rows(descendants, [...scopeColumns(tx.scope), id]);
}
