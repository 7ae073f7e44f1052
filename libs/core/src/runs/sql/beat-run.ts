import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

const beatRun = sql<RunRow>(
  'beat-run',
  `UPDATE runs SET lease_expires_at = now() + make_interval(secs => lease_seconds)
   WHERE ${VISIBLE_RUN} AND id = $4 AND lease_token = $5 AND status IN ('running', 'waiting_human')
   RETURNING ${RUN_COLUMNS}`,
);

/** Prolongs a lease for its holder; no row when the token is another's or the run has ended. */
export async function prolongLease(tx: Transaction, id: string, token: string): Promise<RunRow | undefined> {
  return tx.row(beatRun, [...scopeColumns(tx.scope), id, token]);
}
