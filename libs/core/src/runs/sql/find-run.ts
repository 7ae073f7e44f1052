import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { RunRow } from '../run-row.js';
import { RUN_COLUMNS, VISIBLE_RUN } from './run-columns.js';

const byId = sql<RunRow>('find-run', `SELECT ${RUN_COLUMNS} FROM runs WHERE ${VISIBLE_RUN} AND id = $4`);
const byExternalId = sql<RunRow>(
  'find-run-by-external-id',
  `SELECT ${RUN_COLUMNS} FROM runs WHERE ${VISIBLE_RUN} AND external_id = $4`,
);
const locked = sql<{ id: string }>(
  'lock-run',
  `SELECT id FROM runs WHERE ${VISIBLE_RUN} AND id = $4 FOR NO KEY UPDATE`,
);
const kept = sql<RunRow>(
  'keep-run',
  `SELECT ${RUN_COLUMNS} FROM runs WHERE ${VISIBLE_RUN} AND id = $4 FOR KEY SHARE`,
);
const tombstone = sql<{ run_id: string }>(
  'find-deleted-run',
  `SELECT run_id FROM deleted_runs WHERE ${VISIBLE_RUN} AND run_id = $4
     AND deleted_at > now() - interval '24 hours'`,
);

export async function findRun(tx: Transaction, id: string): Promise<RunRow | undefined> {
  return tx.row(byId, [...scopeColumns(tx.scope), id]);
}

/**
 * The run, which nobody deletes before this transaction ends; undefined when it is deleted meanwhile. Who writes to it does not
 * wait.
 */
export async function keepRun(tx: Transaction, id: string): Promise<RunRow | undefined> {
  return tx.row(kept, [...scopeColumns(tx.scope), id]);
}

export async function findRunByExternalId(tx: Transaction, externalId: string): Promise<RunRow | undefined> {
  return tx.row(byExternalId, [...scopeColumns(tx.scope), externalId]);
}

/**
 * Holds the run for this transaction, so that the next statement sees all that earlier holders committed.
 * `NO KEY`: the foreign keys of children written meanwhile do not wait for it.
 */
export async function lockRun(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.row(locked, [...scopeColumns(tx.scope), id])) !== undefined;
}

/** Whether a run of this id was deleted within the last day. */
export async function wasDeleted(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.row(tombstone, [...scopeColumns(tx.scope), id])) !== undefined;
}

const sight = sql<{ id: string }>('see-run', `SELECT id FROM runs WHERE ${VISIBLE_RUN} AND id = $4`);

/** Whether the scope sees a run of this id. */
export async function seesRun(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.row(sight, [...scopeColumns(tx.scope), id])) !== undefined;
}
