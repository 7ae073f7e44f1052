import { DomainError } from '@agentflow/domain';
import type { RequestFault } from '@agentflow/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import type { QueryValue } from './query-string.js';
import { readNoBody, type ReceivedBody } from './read-request.pipe.js';
import { addArgument, argumentsOf } from './wrap-handler.js';

/** What a handler does not declare. */
interface Undeclared {
  body: boolean;
  query: boolean;
}

const refuseUndeclared = createParamDecorator(
  ({ body, query }: Undeclared, context: ExecutionContext): void => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const faults = query ? parametersOf(request.query as Record<string, QueryValue>) : [];
    if (faults.length > 0) throw new DomainError('invalid_request', { faults });
    if (body) readNoBody(request.body as ReceivedBody | undefined);
  },
);

function parametersOf(query: Record<string, QueryValue>): RequestFault[] {
  return Object.keys(query).map((name) => ({ pointer: `?${name}`, detail: 'is not a parameter here' }));
}

/**
 * Refuses the body or the query of a request whose handler declares none, as an unknown member of a declared one is
 * refused: whoever sends it means something by it. An empty object passes.
 */
export function nothingUndeclared(target: object, name: string | symbol): void {
  const args = argumentsOf(target, name);
  const declares = (type: RouteParamtypes): boolean => args.some((arg) => arg.startsWith(`${type}:`));
  const undeclared = { body: !declares(RouteParamtypes.BODY), query: !declares(RouteParamtypes.QUERY) };
  if (undeclared.body || undeclared.query) addArgument(refuseUndeclared(undeclared), target, name);
}
