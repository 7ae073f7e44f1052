import {
  column,
  columns,
  rowsFrom,
  sql,
  type ColumnTypes,
  type Database,
  type Transaction,
} from '@agentflow/database';

/** What another reporter sent about one run in one request. */
export interface ReceivedReport {
  run_id: string;
  /** Of the content, so that what is sent again is kept once. */
  id: string;
  dialect: string;
  mapping_version: number;
  body: Uint8Array;
}

const COLUMNS = {
  run_id: 'uuid',
  id: 'uuid',
  dialect: 'text',
  mapping_version: 'integer',
  body: 'bytea',
} as const satisfies ColumnTypes;

const insertReports = sql<never>(
  'insert-received-reports',
  `INSERT INTO received_reports (tenant_id, ${Object.keys(COLUMNS).join(', ')})
   SELECT $1, ${Object.keys(COLUMNS).join(', ')} FROM ${rowsFrom(COLUMNS, 's')}
   ON CONFLICT (tenant_id, run_id, id) DO NOTHING`,
);

/** How much of what was reported of a run before is looked at again when more comes: the newest, up to that many bytes. */
const MOST_REPORTS = 200;
const MOST_BYTES = 4 * 1024 * 1024;

type Known = Pick<ReceivedReport, 'run_id' | 'id' | 'body'>;

const knownReports = sql<Known>(
  'find-received-reports',
  `SELECT report.* FROM unnest($2::uuid[]) AS wanted (run_id) CROSS JOIN LATERAL (
     SELECT run_id, id, body FROM (
       SELECT run_id, id, body, received_at, sum(octet_length(body)) OVER (ORDER BY received_at DESC, id) AS size
       FROM received_reports WHERE tenant_id = $1 AND run_id = wanted.run_id AND dialect = $3
       ORDER BY received_at DESC, id LIMIT ${MOST_REPORTS}) newest
     WHERE size <= ${MOST_BYTES} ORDER BY received_at, id) report`,
);

/** Keeps what was received; the same again is kept once. */
export async function keepReports(tx: Transaction, reports: readonly ReceivedReport[]): Promise<void> {
  if (reports.length > 0) await tx.run(insertReports, [tx.scope.tenantId, ...columns(COLUMNS, reports)]);
}

/** What was reported of held runs before in this dialect, in the order in which it came. */
export async function findReports(
  tx: Transaction,
  dialect: string,
  runIds: readonly string[],
): Promise<Known[]> {
  if (runIds.length === 0) return [];
  return tx.rows(knownReports, [tx.scope.tenantId, column('uuid', runIds), dialect]);
}

/** A run whose reports were mapped by an earlier version. */
export interface OutdatedRun {
  tenant_id: string;
  run_id: string;
}

const outdated = sql<OutdatedRun>(
  'find-outdated-reports',
  `SELECT DISTINCT tenant_id, run_id FROM received_reports
   WHERE dialect = $1 AND mapping_version < $2 AND (tenant_id, run_id) > ($3::uuid, $4::uuid)
   ORDER BY tenant_id, run_id LIMIT 500`,
);

/** Such runs of all tenants after this one, in order; the database has to act as the worker's role. */
export function findOutdatedRuns(
  database: Database,
  dialect: string,
  version: number,
  after: OutdatedRun,
): Promise<OutdatedRun[]> {
  return database.unscoped(outdated, [dialect, version, after.tenant_id, after.run_id]);
}

const markMapped = sql<never>(
  'mark-reports-mapped',
  `UPDATE received_reports SET mapping_version = $3 WHERE tenant_id = $1 AND run_id = $2 AND dialect = $4`,
);

/** Remembers which mapping was applied to the reports of a run. */
export async function markReportsMapped(
  tx: Transaction,
  runId: string,
  dialect: string,
  version: number,
): Promise<void> {
  await tx.run(markMapped, [tx.scope.tenantId, runId, version, dialect]);
}
