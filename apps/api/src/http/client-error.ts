import type { ProblemCode } from '@agentflow/contracts';
import { DomainError, encodeJson } from '@agentflow/domain';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf } from './problem.js';
import { SECURITY_HEADERS } from './security-headers.js';

const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers what Node could not read as a request, and closes the connection: what follows may be anything. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const code = CODES[error.code ?? ''] ?? 'invalid_request';
  const faults = [{ pointer: '', detail: 'This is not HTTP.' }];
  const refusal = new DomainError(code, code === 'invalid_request' ? { faults } : {});
  const id = randomUUID();
  const { status, body } = problemOf(refusal, id);
  const text = encodeJson(body);
  const headers = {
    'x-request-id': id,
    ...SECURITY_HEADERS,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
