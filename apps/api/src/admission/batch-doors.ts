import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Transform, type Readable } from 'node:stream';
import type { AccessGuard } from '../access/access.guard.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { wideRouteOf } from '../http/wide-body.js';
import type { MemoryBudget, Share } from './memory-budget.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a batch takes of the memory budget; absent on other routes. */
    share?: Share;
  }
}

/**
 * What stands before the doors for batches, as each is added: before anything of a body is read its sender is known and may
 * send it, and there is room for it. Nest's own guard comes when the body is there, and looks at the key once more.
 */
export function guardBatchDoors(
  server: FastifyInstance,
  access: AccessGuard,
  budget: MemoryBudget,
  largestBatch: number,
): void {
  server.addHook('onRoute', (route) => {
    const wide = wideRouteOf(route.config);
    if (wide === undefined) return;
    route.bodyLimit = largestBatch;
    route.onRequest = (request: FastifyRequest) =>
      access.admit(request as AuthenticatedRequest, wide.permission);
    route.preParsing = (request: FastifyRequest, reply, payload, done) => {
      try {
        done(null, countedBody(request, reply, payload));
      } catch (error) {
        done(error as Error);
      }
    };
    route.preHandler = (request: FastifyRequest, _reply, done) => {
      request.share?.beginWork();
      done();
    };
    route.onSend = (request: FastifyRequest, _reply, _answer, done) => {
      request.share?.giveBack();
      done();
    };
  });

  /**
   * The body, counted as it arrives: one that does not say its length is refused in the middle when there is no more room.
   * What it takes is given back when the answer is made, or as soon as the client leaves before all of it is there.
   */
  function countedBody(request: FastifyRequest, reply: FastifyReply, payload: Readable): Readable {
    // Who left while his key was looked up takes nothing: nobody would tell of it again.
    if (reply.raw.destroyed) throw new Error('the client left');
    const share = budget.shareFor((request as AuthenticatedRequest).user.scope.tenantId);
    request.share = share;
    reply.raw.once('close', () => share.leave());
    const length = Number(request.headers['content-length'] ?? 0);
    share.promise(Math.min(Number.isFinite(length) ? length : 0, largestBatch));
    const counted = counting(share).on('error', nothing);
    // Not by `pipeline`: a refusal would destroy the request, and with it the connection that the answer goes over.
    payload.pipe(counted);
    payload.once('close', () => {
      if (!request.raw.complete) counted.destroy(new Error('the client left'));
    });
    return counted;
  }
}

/** Who reads the stream hears of its failure by listening himself. */
const nothing = (): void => undefined;

function counting(share: Share): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        share.receive(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
