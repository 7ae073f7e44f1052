import { Database } from '@agentflow/database';
import { AgentDeletion } from '../agents/agent-deletion.js';
import { Rounds } from '../operation/rounds.js';
import { SilentTraces } from './silent-traces.js';
import { findInterruptedDeletions } from './sql/find-interrupted-deletions.js';
import { forgetExpired } from './sql/forget-expired.js';

/** What one round came to. */
export interface Round {
  keys: number;
  tombstones: number;
  deletions: number;
  /** Traces that count as failed, since nothing more came of them. */
  traces: number;
}

/** Where the housekeeper tells what it did and what it could not do. */
export interface HousekeepingLog {
  info(figures: object, message: string): void;
  warn(failure: object, message: string): void;
}

const EVERY_MS = 60_000;

/**
 * Tidies up for all tenants, again and again: forgets what has expired, finishes deletions that broke off, and fails
 * traces that fell silent. Any number of housekeepers may run; a round that fails is tried again with the next.
 */
export class Housekeeper {
  private readonly deletion: AgentDeletion;
  private readonly silence: SilentTraces;
  private readonly rounds = new Rounds(EVERY_MS, () => this.reported());

  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    private readonly log: HousekeepingLog,
    /** How long nothing may come of a trace until it counts as failed; 0: for ever. */
    tracePatienceSeconds: number,
  ) {
    this.deletion = new AgentDeletion(database);
    this.silence = new SilentTraces(database, tracePatienceSeconds, (error, run) =>
      this.warn({ err: error, run }, 'could not end a silent trace; trying again in a minute'),
    );
  }

  /** Tidies up once, or as far as it comes until it is told to stop. */
  async tidy(): Promise<Round> {
    const { signal } = this.rounds;
    const forgotten = await forgetExpired(this.database, signal);
    let deletions = 0;
    for (const { tenant_id, id } of await findInterruptedDeletions(this.database)) {
      if (signal.aborted) break;
      if (await this.isFinished(tenant_id, id)) deletions++;
    }
    return { ...forgotten, deletions, traces: await this.silence.end(signal) };
  }

  /** Begins with a round at once. The next begins a while after the last has ended, however long that took. */
  start(): void {
    this.rounds.start();
  }

  /** Begins nothing new, and resolves when the round is over; a deletion under way ends with its connections. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async reported(): Promise<void> {
    try {
      const round = await this.tidy();
      if (Object.values(round).some((figure) => figure > 0)) this.log.info(round, 'tidied up');
    } catch (error) {
      this.warn({ err: error }, 'could not tidy up; trying again in a minute');
    }
  }

  /** One that cannot be finished now does not keep the others from it. */
  private async isFinished(tenantId: string, agentId: string): Promise<boolean> {
    try {
      await this.deletion.finish(tenantId, agentId);
      return true;
    } catch (error) {
      this.warn({ err: error, agent: agentId }, 'could not finish a deletion; trying again in a minute');
      return false;
    }
  }

  /** What breaks off because it was told to stop is no failure: the next start goes on with it. */
  private warn(failure: object, message: string): void {
    if (!this.rounds.signal.aborted) this.log.warn(failure, message);
  }
}
