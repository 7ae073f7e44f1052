import { DomainError } from '@agentflow/domain';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const VERSION_TAG = /^(?:W\/)?"(\d{1,10})"$/;

/** The version in `If-Match: "<version>"`; absent, or `*`, when any will do. */
export const IfMatchVersion = createParamDecorator(
  (_data: unknown, context: ExecutionContext): number | undefined => {
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
    if (header === undefined || header.trim() === '*') return undefined;
    const version = VERSION_TAG.exec(header.trim())?.[1];
    if (version === undefined) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: 'If-Match', detail: 'has to be a version in quotes, such as "3"' }],
      });
    }
    return Number(version);
  },
);
