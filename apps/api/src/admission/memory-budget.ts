import { DomainError } from '@agentflow/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesWideBodies } from '../http/wide-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a batch takes of the memory budget; absent on other routes. */
    share?: Share;
  }
}

/** How many bytes of batches may be under way at once: what is received, and what it inflates to. */
export class MemoryBudget {
  private used = 0;

  constructor(private readonly mostBytes: number) {}

  /** Takes so many bytes; throws when there are no more. */
  take(bytes: number): void {
    // One batch alone always has room, however large it may be.
    if (this.used > 0 && this.used + bytes > this.mostBytes) {
      throw new DomainError('unavailable', { detail: 'Too many bytes of batches are under way.' });
    }
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}

/** What one request has taken; it is given back once, when its connection is done with it. */
export class Share {
  private taken = 0;

  constructor(private readonly budget: MemoryBudget) {}

  take(bytes: number): void {
    this.budget.take(bytes);
    this.taken += bytes;
  }

  giveBack(): void {
    this.budget.give(this.taken);
    this.taken = 0;
  }
}

/**
 * Refuses a batch before its body is read when too much is under way: memory stays flat, whatever comes. A body of unknown
 * length counts as large as it may be.
 */
export function boundMemory(server: FastifyInstance, mostBytes: number, largestBatch: number): void {
  const budget = new MemoryBudget(mostBytes);
  server.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    if (!takesWideBodies(request)) return done();
    const share = new Share(budget);
    const length = Number(request.headers['content-length'] ?? largestBatch);
    try {
      share.take(Math.min(Number.isFinite(length) ? length : largestBatch, largestBatch));
    } catch (error) {
      return done(error as Error);
    }
    request.share = share;
    reply.raw.once('close', () => share.giveBack());
    done();
  });
}
