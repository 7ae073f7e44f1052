import type { RequestFault } from '@agentflow/contracts';
import { encodeJson } from '@agentflow/domain';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { NOT_FOUND_PAGE } from '../docs/frame.js';
import { sendPage } from '../docs/send-page.js';
import { OTLP_MEDIA_TYPES, otlpEncodingOf, rpcStatus } from '../dialects/otlp-answers.js';
import { problemOf, type ProblemAnswer } from './problem.js';
import { leaveBodyUnread } from './unread-body.js';
import { refusalFormOf } from './wide-body.js';

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
    if (refusalFormOf(request) === 'rpc-status') return sendStatus(request, reply, problem);
    if (problem.status === 404 && isReading(request)) {
      return sendPage(reply.status(404), 'text/html; charset=utf-8', NOT_FOUND_PAGE);
    }
    void reply
      .status(problem.status)
      .type('application/problem+json; charset=utf-8')
      .serializer((body: string) => body)
      .send(encodeJson(problem.body));
  }
}

/** Whether a person looks for a page: the API itself answers problems, whoever asks. */
function isReading({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v1(\/|$)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');
}

/** As OTLP wants it told, in the encoding of the request. */
function sendStatus(request: FastifyRequest, reply: FastifyReply, { status, body }: ProblemAnswer): void {
  const encoding = otlpEncodingOf(request.headers['content-type']) ?? 'json';
  const errors = (body['errors'] ?? []) as RequestFault[];
  const details = [body['detail'], ...errors.map(({ detail }) => detail)].filter((one) => one !== undefined);
  const message = [body['title'], ...details, `(${String(body['code'])})`].join('. ');
  void reply
    .status(status)
    .type(OTLP_MEDIA_TYPES[encoding])
    .send(rpcStatus(encoding, status, message));
}
