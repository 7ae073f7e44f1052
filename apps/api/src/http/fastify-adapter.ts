import type { Configuration } from '@agentflow/core';
import { DomainError, encodeJson } from '@agentflow/domain';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { problemOf, type ProblemAnswer } from './problem.js';
import type { ReceivedBody } from './read-request.pipe.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;

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
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: 256 },
    // What still arrives on open connections during the drain is answered; no new connections are taken.
    return503OnClosing: false,
    skipMiddie: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const problem = problemOf(error, request.id);
      void reply
        .status(problem.status)
        .type('application/problem+json; charset=utf-8')
        .send(problem.body as never);
    },
  });
  prepare(adapter.getInstance() as unknown as FastifyInstance);
  return adapter;
}

function prepare(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const received: ReceivedBody = {
      bytes,
      mediaType: request.headers['content-type'],
      encoding: request.headers['content-encoding'],
    };
    done(null, received);
  });
  server.setReplySerializer((payload) => encodeJson(payload));
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    done();
  });
}

/** What Node could not even read as a request. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const code =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'malformed_json';
  const problem: ProblemAnswer = problemOf(
    new DomainError(code, code === 'malformed_json' ? { detail: 'This is not HTTP.' } : {}),
    randomUUID(),
  );
  const body = encodeJson(problem.body);
  socket.end(
    `HTTP/1.1 ${problem.status} ${code}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
