import { Post, Res, SetMetadata, applyDecorators } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../access/caller.js';
import { addArgument, wrapHandler } from '../http/wrap-handler.js';
import type { Idempotency } from './idempotency.js';

export const CARRIED_OUT_ONCE = Symbol('carried out once');

declare module 'fastify' {
  interface FastifyInstance {
    idempotency: Idempotency;
  }
}

/** A POST, which like every other may carry an `Idempotency-Key`. A handler with a bare `@Post` does not boot. */
export function PostOnce(path?: string): MethodDecorator {
  return applyDecorators(Post(path), SetMetadata(CARRIED_OUT_ONCE, true), carriedOutOnce);
}

/** Stands around the shaped answer, since that is what a repeat gets. */
const carriedOutOnce: MethodDecorator = (target, name, descriptor) => {
  const at = addArgument(Res({ passthrough: true }), target, name);
  wrapHandler(
    descriptor,
    (handler) =>
      function (this: unknown, ...args) {
        const reply = args[at] as FastifyReply;
        const key = reply.request.headers['idempotency-key'];
        if (key === undefined) return handler.apply(this, args);
        const { user } = reply.request as AuthenticatedRequest;
        return reply.server.idempotency.once(reply, key, async (caller) =>
          handler.apply(
            this,
            args.map((arg) => (arg === user ? caller : arg)),
          ),
        );
      },
  );
};
