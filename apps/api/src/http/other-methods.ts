import { DomainError } from '@agentflow/domain';
import type { FastifyInstance, HTTPMethods } from 'fastify';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 405 with `Allow` where a path is known and the method is not. Call it before the routes are declared, and
 * what it returns once they are.
 */
export function refuseOtherMethods(server: FastifyInstance): () => void {
  const known = new Map<string, Set<HTTPMethods>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set<HTTPMethods>();
    for (const one of [method].flat()) methods.add(one as HTTPMethods);
    known.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...known].filter(([path]) => !path.includes('*'))) {
      const allowed = [...methods].join(', ');
      server.route({
        url,
        method: METHODS.filter((method) => !methods.has(method)),
        exposeHeadRoute: false,
        handler: (_request, reply) => {
          void reply.header('Allow', allowed);
          throw new DomainError('method_not_allowed');
        },
      });
    }
  };
}
