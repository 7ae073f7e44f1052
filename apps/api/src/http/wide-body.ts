import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How a refusal is told: as a problem of ours, or as the protocol of a door asks for. */
export type RefusalForm = 'problem' | 'rpc-status';

interface WideRoute {
  takesWideBodies?: boolean;
  refusesIn?: RefusalForm;
}

/** A handler that takes batches: its bodies may be as large as a batch may be. */
export const WideBody = (refusesIn: RefusalForm = 'problem'): MethodDecorator =>
  RouteConfig({ takesWideBodies: true, refusesIn } satisfies WideRoute);

/** Gives the routes that take batches their own limit, as each is added. */
export function widenBodies(server: FastifyInstance, mostBytes: number): void {
  server.addHook('onRoute', (route) => {
    if ((route.config as WideRoute | undefined)?.takesWideBodies) route.bodyLimit = mostBytes;
  });
}

export function takesWideBodies(request: FastifyRequest): boolean {
  return (request.routeOptions.config as WideRoute | undefined)?.takesWideBodies === true;
}

export function refusalFormOf(request: FastifyRequest): RefusalForm {
  return (request.routeOptions.config as WideRoute | undefined)?.refusesIn ?? 'problem';
}
