import type { Database } from '@agentflow/database';
import { AgentDeletion } from '../agents/agent-deletion.js';
import { Rounds, type RoundsLog } from '../operation/rounds.js';
import { SilentTraces } from './silent-traces.js';
import { findInterruptedDeletions } from './sql/find-interrupted-deletions.js';
import { forgetExpired } from './sql/forget-expired.js';

/** How much one round tidied up. */
export interface Tidied {
  keys: number;
  tombstones: number;
  deletions: number;
  /** Traces that count as failed, since nothing more came of them. */
  traces: number;
}

const EVERY_MS = 60_000;

/**
 * Tidies up for all tenants: forgets what has expired, finishes deletions that broke off, and fails traces that fell
 * silent. Any number of housekeepers may run.
 */
export class Housekeeper extends Rounds<Tidied> {
  private readonly deletion: AgentDeletion;
  private readonly silence: SilentTraces;

  /** The database has to act as the worker's role. */
  constructor(
    private readonly database: Database,
    log: RoundsLog,
    /** How long nothing may come of a trace until it counts as failed; 0: for ever. */
    tracePatienceSeconds: number,
  ) {
    super(log, {
      everyMs: EVERY_MS,
      did: 'tidied up',
      failed: 'could not tidy up; trying again in a minute',
    });
    this.deletion = new AgentDeletion(database);
    this.silence = new SilentTraces(database, tracePatienceSeconds, (error, run) =>
      this.warn({ err: error, run }, 'could not end a silent trace; trying again in a minute'),
    );
  }

  async round(): Promise<Tidied> {
    const { signal } = this;
    const forgotten = await forgetExpired(this.database, signal);
    let deletions = 0;
    for (const { tenant_id, id } of await findInterruptedDeletions(this.database)) {
      if (signal.aborted) break;
      if (await this.isFinished(tenant_id, id)) deletions++;
    }
    return { ...forgotten, deletions, traces: await this.silence.end(signal) };
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
}
