import { Database, type Actor } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { before, behind, type EventFilters, type EventPlace, type SettledEventRow } from './event-place.js';
import { Followers } from './followers.js';
import { findCluster, findHorizon, findSettledEvents } from './sql/find-settled-events.js';
import { areAll } from './sql/first-events.js';

/** Where a feed can begin. */
export interface FeedEnd {
  /** Nothing that is committed from now on stands before it. */
  now: EventPlace;
  /** No place is there yet from this transaction on. */
  unbegun: number;
  /** In which cluster the places mean something. */
  cluster: string;
}

/** How long commits gather before they are looked at. */
const GATHERING_MS = 50;
/** What is held is asked for again after this, and then after twice as long each time. */
const HELD_MS = 25;
const HELD_AT_MOST_MS = 1_600;

/** Transactions that are looked through at once: at first, and more as long as that is quick. */
const FIRST_STRIDE = 1_024;
const LARGEST_STRIDE = 2 ** 40;
const QUICK_MS = 50;
const SLOW_MS = 500;

/** The events of all runs in a scope, in one order that is settled once for all. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly followers: Followers,
  ) {}

  async end(actor: Actor): Promise<FeedEnd> {
    const [{ settled, unbegun }, cluster] = await this.database.read(actor, (tx) => [
      findHorizon(tx),
      findCluster(tx),
    ]);
    return { now: before(settled), unbegun, cluster };
  }

  /**
   * The events behind a place, some at a time, whichever process committed them: none is left out, none comes twice, and
   * those of one run come in the order of their numbers. An event waits until every transaction that is numbered before
   * its own is over, whoever's that is. Ends only when it is told to stop. The next are read when these are taken, so a
   * slow reader costs no memory.
   */
  async *follow(
    actor: Actor,
    filters: EventFilters,
    from: EventPlace,
    stopping: AbortSignal,
  ): AsyncGenerator<readonly SettledEventRow[], void, void> {
    const pause = (ms: number): Promise<void> =>
      delay(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    // Before the first look: what is committed behind it is not missed.
    const follower = this.followers.follow(actor.scope.tenantId);
    try {
      let stride = FIRST_STRIDE;
      let heldMs = HELD_MS;
      for (let place = from; !stopping.aborted;) {
        const below = place.xid + stride;
        const began = performance.now();
        const [horizon, events] = await this.database.read(actor, (tx) => [
          findHorizon(tx),
          findSettledEvents(tx, filters, place, below),
        ]);
        stride = adjusted(stride, performance.now() - began);
        const last = events.at(-1);
        if (last) {
          yield events;
          place = behind(last);
          heldMs = HELD_MS;
          if (areAll(events)) await pause(GATHERING_MS);
          continue;
        }
        const seen = Math.min(below, horizon.settled);
        if (seen > place.xid) place = before(seen);
        if (seen < horizon.settled) continue;
        if (horizon.is_held) {
          await pause(heldMs);
          heldMs = Math.min(2 * heldMs, HELD_AT_MOST_MS);
        } else {
          await follower.news(stopping);
          await pause(GATHERING_MS);
          heldMs = HELD_MS;
        }
      }
    } finally {
      follower.leave();
    }
  }
}

/** What lies between may be much or nothing, and nobody who sees only part of it can count it. */
function adjusted(stride: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(1, Math.floor(stride / 2));
  return tookMs < QUICK_MS ? Math.min(2 * stride, LARGEST_STRIDE) : stride;
}
