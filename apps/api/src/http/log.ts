import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AuthenticatedRequest } from '../access/caller.js';

/** One line for every answered request, by its route's pattern and never by its address. */
export function logRequests(server: FastifyInstance, log: Logger): void {
  server.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const caller = (request as AuthenticatedRequest).user as AuthenticatedRequest['user'] | undefined;
    log.info(
      {
        req_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        tenant: caller?.scope.tenantId,
        key: caller?.key?.publicId,
      },
      'request',
    );
    done();
  });
}
