import type { RunStatus } from '@agentflow/contracts';
import { gathered, scopeColumns, sql, type Transaction } from '@agentflow/database';
import { DomainError, isTerminal, notFound } from '@agentflow/domain';
import { VISIBLE_RUN } from '../runs/sql/run-columns.js';
import { wasDeleted } from '../runs/sql/find-run.js';
import { LEASE_EXPIRED, type LeaseClaim } from './lease.js';
import { prolongLease } from './sql/prolong-leases.js';

/** A run as far as a writer of its children has to know it, while he holds it. */
export interface RunHead {
  id: string;
  project_id: string;
  agent_id: string;
  status: RunStatus;
  error_type: string | null;
  lease_token: string | null;
  /** The run is open, or ended less than a minute ago: what was under way may still be completed. */
  in_grace: boolean;
  /** The database's clock: the moment of this transaction, which dates what a reporter did not date. */
  now: string;
  next_step_index: number;
  next_message_index: number;
  next_checkpoint_index: number;
  last_event_seq: number;
  last_event_xid: number;
}

const lockHead = sql<RunHead>(
  'lock-run-head',
  `SELECT held.* FROM unnest($4::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT id, project_id, agent_id, status, error_type, lease_token,
       ended_at IS NULL OR ended_at > now() - interval '60 seconds' AS in_grace,
       now() AS now, next_step_index, next_message_index, next_checkpoint_index, last_event_seq, last_event_xid
     FROM runs WHERE ${VISIBLE_RUN} AND id = wanted.id FOR NO KEY UPDATE) held`,
);

/**
 * Holds a run until the transaction ends: the row serialises the writers of one run, and with it the indexes and
 * event numbers that are counted on from the head. `NO KEY`, so that foreign key checks of others do not wait.
 * Statements after it see all that earlier holders committed.
 *
 * Who claims a lease is refused unless it is his, and prolongs it by this: one statement more, in the same round trip.
 */
export function holdRun(tx: Transaction, runId: string, lease?: LeaseClaim): Promise<RunHead | undefined> {
  return lease === undefined ? hold(tx, runId) : holdUnderLease(tx, runId, lease);
}

const hold = gathered<string, RunHead | undefined>({
  writes: false,
  carryOut: async (tx, ids) => {
    const heads = await tx.rows(lockHead, [...scopeColumns(tx.scope), ids]);
    return ids.map((wanted) => heads.find(({ id }) => id === wanted));
  },
});

async function holdUnderLease(
  tx: Transaction,
  runId: string,
  lease: LeaseClaim,
): Promise<RunHead | undefined> {
  const { token } = lease;
  const [head, lease_expires_at] = await tx.together(hold(tx, runId), prolongLease(tx, { runId, token }));
  if (!head) return undefined;
  if (lease_expires_at === undefined && !isLeftTo(head, lease)) {
    throw new DomainError('run.lease_lost', { members: { current_state: head.status } });
  }
  lease.standing = { status: head.status, lease_expires_at: lease_expires_at ?? null };
  return head;
}

/** Whether a run that is not under way was last under this lease: it is not started yet, or has ended otherwise. */
function isLeftTo({ status, error_type, lease_token }: RunHead, { token }: LeaseClaim): boolean {
  if (lease_token !== token) return false;
  if (status === 'failed') return error_type !== LEASE_EXPIRED.error_type;
  return status === 'pending' || isTerminal(status);
}

/** The head, or the refusal that its absence is: gone for a day after a deletion, then not there. */
export async function presentHead<Head>(
  tx: Transaction,
  runId: string,
  head: Head | undefined,
): Promise<Head> {
  if (head) return head;
  throw (await wasDeleted(tx, runId)) ? new DomainError('run.deleted') : notFound();
}

/** Refuses new children of a run that has ended. */
export function refuseWhenFinal(head: Pick<RunHead, 'status'>): void {
  if (isTerminal(head.status)) {
    throw new DomainError('run.final', { members: { current_state: head.status } });
  }
}
