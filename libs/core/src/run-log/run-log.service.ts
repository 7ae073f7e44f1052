import { Database, type Actor } from '@agentflow/database';
import { isTerminal, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { LogEnd, RunEventRow } from './run-log-row.js';
import { findEventsAfter, findLogEnd } from './sql/find-events.js';
import { Followers } from './followers.js';

/** The log of a run: what happened to it, in the order in which it was committed. */
@Injectable()
export class RunLog {
  constructor(
    private readonly database: Database,
    private readonly followers: Followers,
  ) {}

  /** How far the log reaches. */
  async endOf(actor: Actor, runId: string): Promise<LogEnd> {
    const [end] = await this.database.read(actor, (tx) => [findLogEnd(tx, runId)]);
    if (!end) throw notFound();
    return end;
  }

  /**
   * The events behind a number, some at a time, as they are committed in whichever process: none is left out, and none
   * comes twice. Ends behind the last event of a run that has ended, when the run is out of sight, and when it is told to
   * stop; while a run waits for a person it stays open. The next are read when these are taken, so a slow reader
   * costs no memory.
   */
  async *follow(
    actor: Actor,
    runId: string,
    after: number,
    stopping: AbortSignal,
  ): AsyncGenerator<readonly RunEventRow[], void, void> {
    // Before the first look: what is committed behind it is not missed.
    const follower = this.followers.follow(runId);
    try {
      for (let seq = after; !stopping.aborted;) {
        const [end, events] = await this.database.read(actor, (tx) => [
          findLogEnd(tx, runId),
          findEventsAfter(tx, runId, seq),
        ]);
        if (!end) return;
        if (events.length > 0) yield events;
        seq = events.at(-1)?.seq ?? seq;
        if (isTerminal(end.status) && seq >= end.last_event_seq) return;
        if (seq >= end.last_event_seq) await follower.news(stopping);
      }
    } finally {
      follower.leave();
    }
  }
}
