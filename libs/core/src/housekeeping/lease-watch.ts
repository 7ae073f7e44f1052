import type { Database } from '@agentflow/database';
import { Rounds } from '../operation/rounds.js';
import { LEASE_EXPIRED } from '../reporting/lease.js';
import { failRuns, type Failing } from './fail-runs.js';
import type { HousekeepingLog } from './housekeeper.js';
import { MOST_EXPIRED, findExpiredLeases, holdExpiredLease } from './sql/expired-leases.js';

/** Short leases are given to have a dead holder noticed soon: a run fails about so long after its lease has expired. */
const EVERY_MS = 1_000;

/**
 * Fails running runs whose lease has expired, for all tenants, again and again: their holder died, or lost its way here.
 * Whatever that holder still sends is refused. Any number may watch; each run fails once.
 */
export class LeaseWatch {
  private readonly rounds = new Rounds(EVERY_MS, () => this.reported());

  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    private readonly log: HousekeepingLog,
  ) {}

  /** Looks once, or as far as it comes until it is told to stop; answers how many runs have failed by it. */
  look(): Promise<number> {
    const expired: Failing = {
      find: () => findExpiredLeases(this.database),
      most: MOST_EXPIRED,
      hold: holdExpiredLease,
      failure: LEASE_EXPIRED,
      onFailure: (error, run) =>
        this.warn({ err: error, run }, 'could not fail a run whose lease has expired'),
    };
    return failRuns(this.database, expired, this.rounds.signal);
  }

  /** Begins to watch, every second. */
  start(): void {
    this.rounds.start();
  }

  /** Begins nothing new, and resolves when what is under way is over. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async reported(): Promise<void> {
    try {
      const runs = await this.look();
      if (runs > 0) this.log.info({ runs }, 'failed runs whose lease had expired');
    } catch (error) {
      this.warn({ err: error }, 'could not look for expired leases; trying again in a second');
    }
  }

  private warn(failure: object, message: string): void {
    if (!this.rounds.signal.aborted) this.log.warn(failure, message);
  }
}
