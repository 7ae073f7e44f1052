import type { AnyPermission } from '@agentflow/contracts';
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Allow } from '../access/allow.decorator.js';

/** How a refusal is told: as a problem of ours, or as the protocol of a door asks for. */
export type RefusalForm = 'problem' | 'rpc-status';

/** A route that takes batches. */
interface WideRoute {
  /** What its callers need, asked before the body is read. */
  permission: AnyPermission;
  refusesIn: RefusalForm;
}

/** A handler that takes batches, of callers with the permission: its bodies may be as large as a batch may be. */
export function WideBody(permission: AnyPermission, refusesIn: RefusalForm = 'problem'): MethodDecorator {
  const wide: WideRoute = { permission, refusesIn };
  return applyDecorators(Allow(permission), RouteConfig({ wide }));
}

/** What a route that takes batches says of itself, from its configuration; nothing of any other. */
export function wideRouteOf(config: unknown): WideRoute | undefined {
  return (config as { wide?: WideRoute } | undefined)?.wide;
}

export function refusalFormOf(request: FastifyRequest): RefusalForm {
  return wideRouteOf(request.routeOptions.config)?.refusesIn ?? 'problem';
}
