import { Database } from '@agentflow/database';
import { AgentDeletion } from '../agents/agent-deletion.js';
import { findInterruptedDeletions } from './sql/find-interrupted-deletions.js';
import { forgetExpired } from './sql/forget-expired.js';

/** What one round came to. */
export interface Round {
  keys: number;
  tombstones: number;
  deletions: number;
}

/** Where the housekeeper tells what it did and what it could not do. */
export interface HousekeepingLog {
  info(figures: object, message: string): void;
  warn(failure: object, message: string): void;
}

const EVERY_MS = 60_000;

/**
 * Tidies up for all tenants, again and again: forgets what has expired and finishes deletions that broke off. Any
 * number of housekeepers may run; a round that fails is tried again with the next.
 */
export class Housekeeper {
  private readonly deletion: AgentDeletion;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    private readonly log: HousekeepingLog,
  ) {
    this.deletion = new AgentDeletion(database);
  }

  /** Tidies up once. */
  async tidy(): Promise<Round> {
    const forgotten = await forgetExpired(this.database);
    const interrupted = await findInterruptedDeletions(this.database);
    for (const { tenant_id, id } of interrupted) await this.deletion.finish(tenant_id, id);
    return { ...forgotten, deletions: interrupted.length };
  }

  /** Begins with a round at once. */
  start(): void {
    const next = (): void => {
      this.round = this.reported();
    };
    next();
    this.timer = setInterval(next, EVERY_MS);
    this.timer.unref();
  }

  /** Lets the round under way finish. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }

  private async reported(): Promise<void> {
    try {
      const round = await this.tidy();
      if (Object.values(round).some((figure) => figure > 0)) this.log.info(round, 'tidied up');
    } catch (error) {
      this.log.warn({ err: error }, 'could not tidy up; trying again in a minute');
    }
  }
}
