import type { Configuration } from '@agentflow/core';
import { DomainError, encodeJson } from '@agentflow/domain';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { answerClientError } from './client-error.js';
import { problemOf } from './problem.js';
import { parseQueryString } from './query-string.js';
import type { ReceivedBody } from './read-request.pipe.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { leaveBodyUnread } from './unread-body.js';

const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections that are over their time; its default of 30 s would triple the limits. */
const CHECK_EVERY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
const LONGEST_URL = 8 * 1024;

/**
 * The HTTP server. It collects bodies without parsing them (a caller without a key gets nothing parsed), sends
 * objects with payloads spliced in as text, and bounds how long and how large a request may be.
 */
export function createFastifyAdapter(configuration: Configuration): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: configuration.limits.requestBytes,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request without a Host is refused by us, in the form of every other refusal.
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 256, querystringParser: parseQueryString as never },
    // What still arrives on open connections during the drain is answered; no new connections are taken.
    return503OnClosing: false,
    skipMiddie: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const problem = problemOf(error, request.id);
      leaveBodyUnread(request, reply);
      void reply
        .headers({ 'x-request-id': request.id, ...SECURITY_HEADERS })
        .status(problem.status)
        .type('application/problem+json; charset=utf-8')
        .send(problem.body as never);
    },
  });
  const server = adapter.getInstance() as unknown as FastifyInstance;
  prepare(server);
  return adapter;
}

function prepare(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const received: ReceivedBody = {
      bytes,
      mediaType: request.headers['content-type'],
      encoding: request.headers['content-encoding'],
      share: request.share,
    };
    // Many clients name a media type with every request; nothing at all is no body.
    done(null, bytes.length === 0 ? undefined : received);
  });
  server.setReplySerializer((payload) => encodeJson(payload));
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    done(refusalOf(request));
  });
  // Whoever expects more than `100-continue` gets his request carried out all the same, as RFC 9110 allows.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
}

/** What can be refused by the first line and the headers alone. */
function refusalOf({ raw }: FastifyRequest): DomainError | undefined {
  if ((raw.url ?? '').length > LONGEST_URL) {
    return new DomainError('uri_too_long', { detail: `An address may have ${LONGEST_URL} characters.` });
  }
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    return new DomainError('invalid_request', { faults: [{ pointer: 'Host', detail: 'is missing' }] });
  }
  return undefined;
}
