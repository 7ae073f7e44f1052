import { encodeJson } from '@agentflow/domain';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { problemOf } from './problem.js';
import { leaveBodyUnread } from './unread-body.js';

/** Answers every failure as `application/problem+json`, Nest's and Fastify's own included. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (request.raw.destroyed && !request.raw.complete) return; // The client left in the middle of its request.
    const problem = problemOf(error, request.id);
    if (problem.isFault) this.log.error({ err: error, req_id: request.id }, 'request failed');
    else if (problem.status === 503) {
      this.log.warn({ err: error, req_id: request.id }, 'request refused for now');
    }
    if (reply.sent) return;
    leaveBodyUnread(request, reply);
    if (problem.retryAfter !== undefined) reply.header('Retry-After', String(problem.retryAfter));
    if (problem.status === 401) reply.header('WWW-Authenticate', 'Bearer realm="agentflow"');
    void reply
      .status(problem.status)
      .type('application/problem+json; charset=utf-8')
      .serializer((body: string) => body)
      .send(encodeJson(problem.body));
  }
}
