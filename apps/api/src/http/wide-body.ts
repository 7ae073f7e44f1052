import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

interface WideRoute {
  takesWideBodies?: boolean;
}

/** A handler that takes batches: its bodies may be as large as a batch may be. */
export const WideBody = (): MethodDecorator => RouteConfig({ takesWideBodies: true } satisfies WideRoute);

/** Gives the routes that take batches their own limit, as each is added. */
export function widenBodies(server: FastifyInstance, mostBytes: number): void {
  server.addHook('onRoute', (route) => {
    if ((route.config as WideRoute | undefined)?.takesWideBodies) route.bodyLimit = mostBytes;
  });
}
