import { DomainError } from '@agentflow/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Transform } from 'node:stream';
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
 * Refuses a batch before its body is read when too much is under way: memory stays flat, whatever comes. A body that does not
 * say its length is counted as it arrives, and refused in the middle when there is no more room.
 */
export function boundMemory(server: FastifyInstance, mostBytes: number, largestBatch: number): void {
  const budget = new MemoryBudget(mostBytes);
  server.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    if (!takesWideBodies(request)) return done();
    const share = new Share(budget);
    const length = Number(request.headers['content-length'] ?? 0);
    try {
      share.take(Math.min(Number.isFinite(length) ? length : 0, largestBatch));
    } catch (error) {
      return done(error as Error);
    }
    request.share = share;
    reply.raw.once('close', () => share.giveBack());
    done();
  });
  server.addHook('preParsing', (request: FastifyRequest, _reply, payload, done) => {
    const { share } = request;
    if (share === undefined || request.headers['content-length'] !== undefined) return done(null, payload);
    const counted = counting(share).on('error', nothing);
    // Not by `pipeline`: a refusal would destroy the request, and with it the connection that the answer goes over.
    payload.pipe(counted);
    payload.once('close', () => {
      if (!request.raw.complete) counted.destroy(new Error('the client left'));
    });
    done(null, counted);
  });
}

/** Who reads the stream hears of its failure by listening himself. */
const nothing = (): void => undefined;

function counting(share: Share): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        share.take(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
