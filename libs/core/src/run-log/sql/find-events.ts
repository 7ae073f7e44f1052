import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';
import type { LogEnd, RunEventRow } from '../run-log-row.js';
import { firstEvents } from './first-events.js';

const logEnd = sql<LogEnd>(
  'find-log-end',
  `SELECT status, last_event_seq FROM runs WHERE ${VISIBLE_RUN} AND id = $4`,
);

const eventsAfter = sql<RunEventRow>(
  'find-events-after',
  firstEvents('seq, type, entity_id, data, at', 'tenant_id = $1 AND run_id = $2 AND seq > $3', 'seq'),
);

/** How far the log of a run reaches; nothing when the run is out of sight. */
export async function findLogEnd(tx: Transaction, runId: string): Promise<LogEnd | undefined> {
  return tx.row(logEnd, [...scopeColumns(tx.scope), runId]);
}

/**
 * The next events of a run behind a number, at least one if there is one. Who appends holds the run until the commit, so what is seen has no gap, and
 * nothing with a smaller number comes later.
 */
export async function findEventsAfter(tx: Transaction, runId: string, seq: number): Promise<RunEventRow[]> {
  return tx.rows(eventsAfter, [tx.scope.tenantId, runId, seq]);
}
