import type { AnyPermission, RequestFault, RunStatus } from '@agentflow/contracts';
import { RUN_STATUSES } from '@agentflow/contracts';
import { Database, type Actor, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, notFound, sourcesOf } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { Act } from '../audit-log/act.js';
import { recordAct } from '../audit-log/sql/record-acts.js';
import { v7 as newId } from 'uuid';
import { listRuns } from '../runs/sql/list-runs.js';
import {
  PERMISSION_FOR,
  type Asked,
  type BulkActionPreview,
  type BulkActionRow,
  type NewBulkAction,
} from './bulk-action-row.js';
import { countOpenBulkActions } from './sql/count-open-bulk-actions.js';
import { cancelBulkAction } from './sql/cancel-bulk-action.js';
import { findBulkAction, listBulkActions } from './sql/find-bulk-actions.js';
import { insertBulkAction } from './sql/insert-bulk-action.js';
import { countRuns, findNamedRuns } from './sql/preview-runs.js';

/** Whoever asks for something to be done to many runs. */
export interface BulkActor extends Actor {
  readonly permissions: ReadonlySet<AnyPermission>;
}

/** A preview shows so many runs, and counts so far. */
const MOST_SHOWN = 20;
const MOST_COUNTED = 10_000;

/** So many of one key may be open at once: who asks in a circle does not keep the workers from what others ask for. */
const MOST_OPEN_OF_KEY = 100;

/** What is to be done to many runs: asked for here, and carried out by whoever has a `BulkActionRunner`. */
@Injectable()
export class BulkActionsService {
  constructor(private readonly database: Database) {}

  /**
   * Writes down what is to be done; with `dry_run`, tells what that would come to now. `forbidden` when the caller may not do
   * it to a single run, `too_many_bulk_actions` when too many of the key have not ended.
   */
  async create(actor: BulkActor, wanted: NewBulkAction): Promise<Asked> {
    if (!actor.permissions.has(PERMISSION_FOR[wanted.action])) throw new DomainError('forbidden');
    const faults = faultsOf(wanted);
    if (faults.length > 0) throw new DomainError('invalid_request', { faults });
    return this.database.transaction(actor, async (tx) => {
      if (wanted.dry_run) return { trial: await previewed(tx, wanted) };
      const keyId = actor.keyId as string;
      if ((await countOpenBulkActions(tx, keyId)) >= MOST_OPEN_OF_KEY) {
        throw new DomainError('too_many_bulk_actions', {
          detail: `Bulk actions that one key may have open: ${MOST_OPEN_OF_KEY}.`,
        });
      }
      const accepted = await insertBulkAction(tx, newId(), wanted, keyId);
      await recordAct(tx, actor, actOn(accepted, 'bulk_action.created'));
      return { accepted };
    });
  }

  async get(actor: Actor, id: string): Promise<BulkActionRow> {
    const [row] = await this.database.read(actor, (tx) => [findBulkAction(tx, id)]);
    if (!row) throw notFound();
    return row;
  }

  async list(actor: Actor, slice: Slice): Promise<BulkActionRow[]> {
    const [rows] = await this.database.read(actor, (tx) => [listBulkActions(tx, slice)]);
    return rows;
  }

  /** Stops it where it is; one that has ended stays as it ended. */
  async cancel(actor: Actor, id: string): Promise<BulkActionRow> {
    return this.database.transaction(actor, async (tx) => {
      const cancelled = await cancelBulkAction(tx, id);
      if (cancelled) {
        await recordAct(tx, actor, actOn(cancelled, 'bulk_action.cancelled'));
        return cancelled;
      }
      const ended = await findBulkAction(tx, id);
      if (!ended) throw notFound();
      return ended;
    });
  }
}

/** What is done to each run is told of that run. */
const actOn = (row: BulkActionRow, action: 'bulk_action.created' | 'bulk_action.cancelled'): Act => ({
  action,
  entityId: row.id,
  projectId: row.project_id,
  agentId: row.agent_id,
  after: { action: row.action, status: row.status },
});

function faultsOf({ action, ids, filter, reason, force, reuse }: NewBulkAction): RequestFault[] {
  const misplaced = (member: string, isMisplaced: boolean): RequestFault[] =>
    isMisplaced ? [{ pointer: `/${member}`, detail: `does not belong to ${action}` }] : [];
  return [
    ...((ids === undefined) === (filter === undefined)
      ? [{ pointer: '/ids', detail: 'either ids or filter has to be given, and not both' }]
      : []),
    ...(filter && Object.values(filter).every((value) => value === undefined)
      ? [{ pointer: '/filter', detail: 'has to name something' }]
      : []),
    ...misplaced('reason', reason !== undefined && action === 'delete'),
    ...misplaced('force', force !== undefined && action !== 'delete'),
    ...misplaced('reuse', reuse !== undefined && action !== 'retry'),
  ];
}

/** The statuses of runs that the action changes something about; it leaves others as they are. */
function touchedStatuses({ action, force }: NewBulkAction): readonly RunStatus[] {
  if (action === 'cancel') return sourcesOf('cancel');
  if (action === 'retry' || force) return RUN_STATUSES;
  return RUN_STATUSES.filter((status) => status !== 'running' && status !== 'waiting_human');
}

function previewed(tx: Transaction, wanted: NewBulkAction): Promise<BulkActionPreview> {
  return wanted.ids === undefined ? previewOfFilter(tx, wanted) : previewOfIds(tx, wanted, wanted.ids);
}

async function previewOfFilter(tx: Transaction, wanted: NewBulkAction): Promise<BulkActionPreview> {
  const { action, filter = {} } = wanted;
  const statuses = filter.status ?? RUN_STATUSES;
  const touched = touchedStatuses(wanted).filter((status) => statuses.includes(status));
  const narrowed = touched.length === RUN_STATUSES.length ? filter : { ...filter, status: touched };
  const matched = await countRuns(tx, filter, MOST_COUNTED);
  if (touched.length === 0)
    return { action, matched, touched: 0, isComplete: matched < MOST_COUNTED, runs: [] };
  return {
    ...{ action, matched, touched: await countRuns(tx, narrowed, MOST_COUNTED) },
    isComplete: matched < MOST_COUNTED,
    runs: await listRuns(tx, narrowed, { limit: MOST_SHOWN, after: undefined }),
  };
}

async function previewOfIds(
  tx: Transaction,
  wanted: NewBulkAction,
  ids: readonly string[],
): Promise<BulkActionPreview> {
  const statuses = touchedStatuses(wanted);
  const named = await findNamedRuns(tx, [...new Set(ids)]);
  const touched = named.filter(({ status }) => statuses.includes(status));
  return {
    ...{ action: wanted.action, matched: named.length, touched: touched.length, isComplete: true },
    runs: touched.slice(0, MOST_SHOWN),
  };
}
