import { databaseFault, type Actor, type Database, type Scope, type Transaction } from '@agentflow/database';
import { DomainError, type RawJson } from '@agentflow/domain';
import { AgentRegistry } from '../agents/agent-registry.js';
import { Rounds, type RoundsLog } from '../operation/rounds.js';
import { RunCopiesService } from '../runs/run-copies.service.js';
import { RunsService } from '../runs/runs.service.js';
import { listRuns, type RunFilters } from '../runs/sql/list-runs.js';
import type { HeldBulkAction, OpenBulkAction, RunFailure } from './bulk-action-row.js';
import {
  advanceBulkAction,
  findOpenBulkActions,
  holdBulkAction,
  isLiveKey,
  type Portion,
} from './sql/open-bulk-actions.js';

/** Who asks for much should see it begin soon. */
const EVERY_MS = 1_000;

/** Runs of one transaction: it holds them all until it commits, so it has to be over soon. */
const TOGETHER = 50;

/** A run that is to be acted on, and where the portion behind it begins. */
interface Target {
  id: string;
  createdAt: string;
}

/**
 * Carries out bulk actions, for all tenants, in portions. Each portion is one transaction with the note of how far the action
 * has come, so that whatever breaks off in between, nothing is done twice or left out. Any number of runners share the work:
 * one portion of an action is under way at a time, and the actions take turns.
 *
 * What is done is done by the services that the doors for single runs use, in the scope of the key that asked, and as that
 * key. When the key does not count any more the rest is left.
 */
export class BulkActionRunner extends Rounds<{ runs: number }> {
  private readonly runs: RunsService;
  private readonly copies: RunCopiesService;

  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    log: RoundsLog,
  ) {
    super(log, {
      everyMs: EVERY_MS,
      did: 'went on with bulk actions',
      failed: 'could not look for bulk actions; trying again in a second',
    });
    this.runs = new RunsService(database, new AgentRegistry());
    this.copies = new RunCopiesService(database);
  }

  async round(): Promise<{ runs: number }> {
    for (let runs = 0; ;) {
      let hasMoved = false;
      for (const open of await findOpenBulkActions(this.database)) {
        if (this.signal.aborted) return { runs };
        const came = await this.goneOn(open);
        hasMoved ||= came !== undefined;
        runs += came ?? 0;
      }
      // Those that are left are somebody else's at the moment, or cannot be gone on with.
      if (!hasMoved) return { runs };
    }
  }

  /** One portion; undefined when there is nothing to do. One action that fails does not keep the others from it. */
  private async goneOn(open: OpenBulkAction): Promise<number | undefined> {
    try {
      return await this.portion(open, TOGETHER);
    } catch (error) {
      if (!isOfOneRun(error)) return this.left(error, open);
    }
    // Something is wrong with one of them. It is found by doing each for itself, and does not keep the others from it.
    let total = 0;
    try {
      for (let i = 0; i < TOGETHER && !this.signal.aborted; i++) {
        const came = await this.single(open);
        if (came === undefined) break;
        total += came;
      }
      return total;
    } catch (error) {
      this.left(error, open);
      return total > 0 ? total : undefined;
    }
  }

  /** The next run alone, or the note that it failed. */
  private async single(open: OpenBulkAction): Promise<number | undefined> {
    try {
      return await this.portion(open, 1);
    } catch (error) {
      if (!isOfOneRun(error)) throw error;
      this.warn({ err: error, bulk_action: open.id }, 'a run of a bulk action failed');
      return this.portion(open, 1, codeOf(error));
    }
  }

  private left(error: unknown, { id }: OpenBulkAction): undefined {
    this.warn(
      { err: error, bulk_action: id },
      'could not go on with a bulk action; trying again in a second',
    );
  }

  /** So many runs in one transaction; with `failure`, they are only noted as failed. */
  private portion(open: OpenBulkAction, most: number, failure?: string): Promise<number | undefined> {
    const scope = {
      ...{ kind: open.scope, tenantId: open.tenant_id, projectId: open.project_id, agentId: open.agent_id },
    } as Scope;
    return this.database.transaction({ scope }, async (tx) => {
      const held = await holdBulkAction(tx, open.id, most);
      if (!held) return undefined;
      if (!(await isLiveKey(tx, held.created_by))) {
        await advanceBulkAction(tx, open.id, stoppedAt(held));
        return 0;
      }
      const targets = await nextTargets(tx, held, most);
      const outcome =
        failure === undefined ? await this.carriedOut(tx, held, targets) : failed(targets, failure);
      await advanceBulkAction(tx, open.id, {
        ...outcome,
        after: behind(targets, held),
        end: targets.length < most ? endOf(held, outcome.failures) : null,
      });
      return targets.length;
    });
  }

  /** In the order of the ids, as batches hold runs: two who hold the same ones do not wait for each other in a circle. */
  private async carriedOut(
    tx: Transaction,
    held: HeldBulkAction,
    targets: readonly Target[],
  ): Promise<Outcome> {
    const actor = { scope: tx.scope, keyId: held.created_by, within: tx };
    const skipped: Record<string, number> = {};
    let done = 0;
    for (const id of targets.map((target) => target.id).sort()) {
      try {
        await this.act(actor, held, id);
        done++;
      } catch (error) {
        // A refusal has changed nothing.
        if (!(error instanceof DomainError)) throw error;
        skipped[error.code] = (skipped[error.code] ?? 0) + 1;
      }
    }
    return { done, skipped, failures: [] };
  }

  private act(actor: Actor, { action, reason, force, reuse }: HeldBulkAction, id: string): Promise<unknown> {
    const why = reason === null ? {} : { reason };
    switch (action) {
      case 'cancel':
        return this.runs.move(actor, id, 'cancel', why);
      case 'delete':
        return this.runs.remove(actor, id, force);
      case 'retry':
        return this.copies.retry(actor, id, reuse === null ? why : { ...why, reuse });
    }
  }
}

type Outcome = Pick<Portion, 'done' | 'skipped' | 'failures'>;

/** Whether the cause lies with a run; without a database nothing can be said about any. */
function isOfOneRun(error: unknown): boolean {
  return databaseFault(error) !== 'unavailable';
}

/** What a client is told: no text of a database. */
function codeOf(error: unknown): string {
  return databaseFault(error) === 'timeout' ? 'timeout' : 'internal';
}

/** The next runs: of those that were named, or of those that the filter lets through now. */
async function nextTargets(tx: Transaction, held: HeldBulkAction, most: number): Promise<Target[]> {
  const { after_created_at: createdAt, after_id: afterId } = held;
  if (held.next_ids) return held.next_ids.map((id) => ({ id, createdAt }));
  const filters = (held.filter as RawJson).parse() as RunFilters;
  const rows = await listRuns(tx, filters, { limit: most, after: [createdAt, afterId] });
  return rows.map(({ id, created_at }) => ({ id, createdAt: created_at }));
}

function behind(targets: readonly Target[], held: HeldBulkAction): Portion['after'] {
  return targets.at(-1) ?? { createdAt: held.after_created_at, id: held.after_id };
}

function endOf({ failed }: HeldBulkAction, failures: readonly RunFailure[]): Portion['end'] {
  return failed + failures.length > 0 ? 'failed' : 'succeeded';
}

function failed(targets: readonly Target[], code: string): Outcome {
  return { done: 0, skipped: {}, failures: targets.map(({ id }) => ({ run_id: id, code })) };
}

function stoppedAt(held: HeldBulkAction): Portion {
  return { done: 0, skipped: {}, failures: [], after: behind([], held), end: 'key_revoked' };
}
