import type { LeaseClaim } from '@agentflow/core';
import { DomainError, parseId } from '@agentflow/domain';
import { Res, SetMetadata } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest, Caller } from '../access/caller.js';
import { PROBLEM_CODES } from '../http/answers.js';
import { addArgument, wrapHandler } from '../http/wrap-handler.js';
import type { ProblemCode } from '@agentflow/contracts';

/** Says on a handler that it takes the header `AgentFlow-Lease`. */
export const UNDER_LEASE = Symbol('under lease');

/**
 * A write to a run, or below one, which its holder may send with `AgentFlow-Lease: <token>`: it is refused unless the
 * lease is his, and tells him where the run stands. Above all other decorators, since the caller that the others hand
 * on is the one that claims the lease.
 */
export function UnderLease(): MethodDecorator {
  return (target, name, descriptor) => {
    const at = addArgument(Res({ passthrough: true }), target, name);
    const handler = descriptor.value as unknown as object;
    const codes = (Reflect.getMetadata(PROBLEM_CODES, handler) ?? []) as ProblemCode[];
    SetMetadata(PROBLEM_CODES, ['run.lease_lost', ...codes])(target, name, descriptor);
    SetMetadata(UNDER_LEASE, true)(target, name, descriptor);
    wrapHandler(
      descriptor,
      (wrapped) =>
        function (this: unknown, ...args) {
          const reply = args[at] as FastifyReply;
          const token = reply.request.headers['agentflow-lease'];
          if (token === undefined) return wrapped.apply(this, args);
          return claiming(reply, token, (user, holder) =>
            wrapped.apply(
              this,
              args.map((arg) => (arg === user ? holder : arg)),
            ),
          );
        },
    );
  };
}

async function claiming(
  reply: FastifyReply,
  token: string | string[],
  carryOut: (user: Caller, holder: Caller) => unknown,
): Promise<unknown> {
  const request = reply.request as AuthenticatedRequest;
  const { user } = request;
  const lease: LeaseClaim = { token: readToken(token) };
  request.user = { ...user, lease };
  try {
    const answer = await carryOut(user, request.user);
    // What is refused is rolled back, and prolongs nothing.
    const endsAt = lease.standing?.lease_expires_at;
    if (endsAt) void reply.header('AgentFlow-Lease-Expires-At', endsAt);
    return answer;
  } finally {
    if (lease.standing) {
      void reply.header('AgentFlow-Cancel-Requested', String(lease.standing.status === 'cancelled'));
    }
  }
}

function readToken(text: string | string[]): string {
  const token = typeof text === 'string' ? parseId(text) : undefined;
  if (token !== undefined) return token;
  throw new DomainError('invalid_request', {
    faults: [{ pointer: 'AgentFlow-Lease', detail: 'has to be the token that came with the lease' }],
  });
}
