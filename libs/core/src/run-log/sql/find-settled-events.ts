import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';
import type { EventFilters, EventPlace, Horizon, SettledEventRow } from '../event-place.js';
import { firstEvents } from './first-events.js';

const SETTLED = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
const UNBEGUN = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

const horizon = sql<Horizon>(
  'find-horizon',
  `SELECT ${SETTLED} AS settled, ${UNBEGUN} AS unbegun, EXISTS (
     SELECT FROM run_events WHERE tenant_id = $1 AND xid >= ${SETTLED} AND xid < ${UNBEGUN}) AS is_held`,
);

const cluster = sql<{ name: string }>(
  'find-cluster',
  'SELECT system_identifier::text AS name FROM pg_control_system()',
);

/** In the order of the index, a transaction at a time; the runs are asked only where not all of the tenant's are meant. */
const settledEvents = sql<SettledEventRow>(
  'find-settled-events',
  firstEvents(
    'run_id, seq, xid, type, entity_id, data, at',
    `tenant_id = $1 AND xid >= $4 AND xid < least($7::bigint, ${SETTLED}) AND (xid, run_id, seq) > ($4, $5::uuid, $6::bigint)
       AND ($8::text[] IS NULL OR type = ANY ($8))
       AND (coalesce($2, $3, $9::uuid, $10::uuid) IS NULL OR EXISTS (
         SELECT FROM runs WHERE ${VISIBLE_RUN} AND id = run_events.run_id
           AND ($9 IS NULL OR project_id = $9) AND ($10 IS NULL OR agent_id = $10)))`,
    'xid, run_id, seq',
  ),
);

/** How far what is written in the whole cluster is settled, and whether something of the tenant's is ahead of that. */
export async function findHorizon(tx: Transaction): Promise<Horizon> {
  return (await tx.row(horizon, [tx.scope.tenantId])) as Horizon;
}

/** What tells one cluster from another: places are numbered anew in each. */
export async function findCluster(tx: Transaction): Promise<string> {
  return ((await tx.row(cluster)) as { name: string }).name;
}

/**
 * The next events of the scope behind a place, of transactions below a number, that are settled: every transaction up to
 * theirs is over and seen, so nothing comes between them later.
 */
export async function findSettledEvents(
  tx: Transaction,
  { types, project_id, agent_id }: EventFilters,
  { xid, runId, seq }: EventPlace,
  below: number,
): Promise<SettledEventRow[]> {
  const place = [xid, runId, seq, below];
  return tx.rows(settledEvents, [...scopeColumns(tx.scope), ...place, types, project_id, agent_id]);
}
