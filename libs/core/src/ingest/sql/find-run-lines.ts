import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';
import type { RunLine } from '../announcements.js';

/** `UNION` drops what was found before, so that a circle ends. */
const linesOf = sql<RunLine>(
  'find-run-lines',
  `SELECT * FROM (
     WITH RECURSIVE line AS (
       SELECT found.* FROM unnest($4::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
         SELECT id, parent_run_id FROM runs WHERE ${VISIBLE_RUN} AND id = wanted.id LIMIT 1) found
       UNION
       SELECT above.* FROM line CROSS JOIN LATERAL (
         SELECT id, parent_run_id FROM runs WHERE ${VISIBLE_RUN} AND id = line.parent_run_id LIMIT 1) above
     ) SELECT * FROM line) lines`,
);

/** The named runs that are there and seen, and all that lie above them. */
export async function findRunLines(tx: Transaction, ids: readonly string[]): Promise<RunLine[]> {
  return ids.length === 0 ? [] : tx.rows(linesOf, [...scopeColumns(tx.scope), ids]);
}
