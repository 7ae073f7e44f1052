import { Database } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import type { Reporter } from '../reporting/lease.js';
import { holdRun, presentHead, refuseWhenFinal } from '../reporting/run-head.js';
import { LiveRuns } from './live-runs.js';
import { findLogEnd } from './sql/find-events.js';

/** What is said of a run while it is live, and is not kept. */
@Injectable()
export class LiveService {
  constructor(
    private readonly database: Database,
    private readonly liveRuns: LiveRuns,
  ) {}

  /** Says frames to all who follow the run now. A run that has ended is refused; a lease is claimed and prolonged. */
  async post(actor: Reporter, runId: string, frames: string): Promise<void> {
    await this.database.transaction(actor, async (tx) => {
      const head = await (actor.lease ? holdRun(tx, runId, actor.lease) : findLogEnd(tx, runId));
      refuseWhenFinal(await presentHead(tx, runId, head));
    });
    await this.liveRuns.post(nameOf(actor, runId), frames);
  }

  /** Hears what is said from a moment from now on; the answer ends it. Who may follow the run is found out before. */
  follow(actor: Reporter, runId: string, listener: (frames: string) => void): () => void {
    return this.liveRuns.follow(nameOf(actor, runId), listener);
  }
}

const nameOf = ({ scope }: Reporter, runId: string): string => `${scope.tenantId}/${runId}`;
