import {
  columns,
  rowsFrom,
  sql,
  type ColumnTypes,
  type Database,
  type Transaction,
} from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';

/** What another reporter sent about one run in one request. */
export interface ReceivedReport {
  run_id: string;
  /** Of the content, so that what is sent again is kept once. */
  id: string;
  dialect: string;
  mapping_version: number;
  body: Uint8Array;
  speaks_of_run: boolean;
  /** An array of texts. */
  about: RawJson;
}

const COLUMNS = {
  run_id: 'uuid',
  id: 'uuid',
  dialect: 'text',
  mapping_version: 'integer',
  body: 'bytea',
  speaks_of_run: 'boolean',
  about: 'jsonb',
} as const satisfies ColumnTypes;

const insertReports = sql<never>(
  'insert-received-reports',
  `INSERT INTO received_reports (tenant_id, ${Object.keys(COLUMNS).join(', ')})
   SELECT $1, ${Object.keys(COLUMNS).join(', ')} FROM ${rowsFrom(COLUMNS, 's')}
   ON CONFLICT (tenant_id, run_id, id) DO NOTHING`,
);

/** How much of what was reported of a run before is looked at again when more comes. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of what has nothing to do with what comes. */
const MOST_OTHERS = 1_000;

interface KnownReport {
  run_id: string;
  id: string;
  body: Uint8Array;
  /** There is nothing else that was reported of the run. */
  is_all: boolean;
}

/**
 * What speaks of the run itself comes first, then what speaks of the same things, of both the small before the large, then
 * the newest of the others; the first is there whatever its size.
 */
const knownReports = sql<KnownReport>(
  'find-received-reports',
  `SELECT report.* FROM json_to_recordset($2) AS wanted (run_id uuid, ids text[]) CROSS JOIN LATERAL (
     SELECT run_id, id, body, count(*) OVER () = total AS is_all FROM (
       SELECT run_id, id, body, received_at, (speaks_of_run OR about ?| wanted.ids) AS matters,
         octet_length(body) AS bytes, sum(octet_length(body)) OVER nearest AS size,
         row_number() OVER nearest AS place, count(*) FILTER (WHERE (speaks_of_run OR about ?| wanted.ids)) OVER () AS near,
         count(*) OVER () AS total
       FROM received_reports WHERE tenant_id = $1 AND run_id = wanted.run_id AND dialect = $3
       WINDOW nearest AS (
         ORDER BY CASE WHEN speaks_of_run THEN 0 WHEN about ?| wanted.ids THEN 1 ELSE 2 END,
           CASE WHEN (speaks_of_run OR about ?| wanted.ids) THEN octet_length(body) END, received_at DESC, id)) ranked
     WHERE (place = 1 OR size <= ${MOST_BYTES}) AND (matters OR place <= near + ${MOST_OTHERS})
     ORDER BY received_at, id) report`,
);

/** Keeps what was received; the same again is kept once. */
export async function keepReports(tx: Transaction, reports: readonly ReceivedReport[]): Promise<void> {
  if (reports.length > 0) await tx.run(insertReports, [tx.scope.tenantId, ...columns(COLUMNS, reports)]);
}

/** A run, and what is spoken of anew. */
export interface WantedReports {
  run_id: string;
  ids: readonly string[];
}

/**
 * What was reported of held runs before in this dialect, in the order in which it came: all, or as much as matters most
 * to these things.
 */
export async function findReports(
  tx: Transaction,
  dialect: string,
  wanted: readonly WantedReports[],
): Promise<KnownReport[]> {
  if (wanted.length === 0) return [];
  return tx.rows(knownReports, [tx.scope.tenantId, RawJson.trusted(encodeJson(wanted)), dialect]);
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
