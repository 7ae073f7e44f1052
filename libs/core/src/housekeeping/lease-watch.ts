import type { Database } from '@agentflow/database';
import { Rounds, type RoundsLog } from '../operation/rounds.js';
import { LEASE_EXPIRED } from '../reporting/lease.js';
import { failRuns, type Failing } from './fail-runs.js';
import { MOST_EXPIRED, findExpiredLeases, holdExpiredLease } from './sql/expired-leases.js';

/** Short leases are given to have a dead holder noticed soon: a run fails about so long after its lease has expired. */
const EVERY_MS = 1_000;

/**
 * Fails running runs whose lease has expired, for all tenants: their holder died, or lost its way here. Whatever that
 * holder still sends is refused. Any number may watch; each run fails once.
 */
export class LeaseWatch extends Rounds<{ runs: number }> {
  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    log: RoundsLog,
  ) {
    super(log, {
      everyMs: EVERY_MS,
      did: 'failed runs whose lease had expired',
      failed: 'could not look for expired leases; trying again in a second',
    });
  }

  async round(): Promise<{ runs: number }> {
    const expired: Failing = {
      find: () => findExpiredLeases(this.database),
      most: MOST_EXPIRED,
      hold: holdExpiredLease,
      failure: LEASE_EXPIRED,
      onFailure: (error, run) =>
        this.warn({ err: error, run }, 'could not fail a run whose lease has expired'),
    };
    return { runs: await failRuns(this.database, expired, this.signal) };
  }
}
