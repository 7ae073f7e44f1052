import type { Limits } from '@agentflow/core';
import { DomainError } from '@agentflow/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { LIMITS } from '../installation.js';
import { Quota } from './quota.js';

/** How many batches of one organization are read and written at once; others find connections and time beside them. */
const MOST_AT_ONCE = 4;
/** How many more of it wait for their turn. */
const MOST_WAITING = 32;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Lets batches in, so that one noisy organization neither fills the memory nor slows the others: each has a few at once and
 * a short queue, and keys and organizations may have a quota. Who is refused is told when to come back.
 */
@Injectable()
export class Admission {
  private readonly queues = new Map<string, Queue>();
  private readonly ofKey: Quota;
  private readonly ofOrganization: Quota;

  constructor(@Inject(LIMITS) limits: Limits) {
    this.ofKey = new Quota(limits.itemsPerSecondOfKey);
    this.ofOrganization = new Quota(limits.itemsPerSecondOfOrganization);
  }

  /** Carries out a batch when its turn comes; `work` says how many items it had, once it knows. */
  async admit<T>(caller: Caller, work: (spend: (items: number) => void) => Promise<T>): Promise<T> {
    const { tenantId } = caller.scope;
    this.refuseAboveQuota(caller, tenantId);
    await this.turnOf(tenantId);
    try {
      return await work((items) => this.spend(caller, tenantId, items));
    } finally {
      this.leave(tenantId);
    }
  }

  private refuseAboveQuota({ keyId }: Caller, tenantId: string): void {
    const now = performance.now();
    const waits = [this.ofKey.waitOf(keyId ?? '', now), this.ofOrganization.waitOf(tenantId, now)];
    const wait = Math.max(...waits.map((seconds) => seconds ?? 0));
    if (wait > 0) throw tooMuch('The quota of items is used up.', wait);
  }

  private spend({ keyId }: Caller, tenantId: string, items: number): void {
    const now = performance.now();
    this.ofKey.spend(keyId ?? '', items, now);
    this.ofOrganization.spend(tenantId, items, now);
  }

  private turnOf(tenantId: string): Promise<void> | undefined {
    const queue = this.queues.get(tenantId) ?? { running: 0, waiting: [] };
    this.queues.set(tenantId, queue);
    if (queue.running < MOST_AT_ONCE) {
      queue.running++;
      return undefined;
    }
    if (queue.waiting.length === MOST_WAITING) throw tooMuch('Too many batches wait for their turn.', 1);
    return new Promise((resolve) => queue.waiting.push(resolve));
  }

  /** The turn goes to the next one, or comes to an end. */
  private leave(tenantId: string): void {
    const queue = this.queues.get(tenantId) as Queue;
    const next = queue.waiting.shift();
    if (next) return next();
    queue.running--;
    if (queue.running === 0) this.queues.delete(tenantId);
  }
}

function tooMuch(detail: string, seconds: number): DomainError {
  return new DomainError('too_many_items', { detail, retryAfterSeconds: seconds });
}
