import { DomainError } from '@agentflow/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** Where the doors are that may be asked for a WebSocket. */
const DOORS = /^\/ws\//;

/** What a client may send in one message; nobody reads it. */
const LARGEST_MESSAGE = 4 * 1024;

/** How long a client may take to agree to the end. */
const CLOSE_TIMEOUT_MS = 2_000;

const handshakes = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: LARGEST_MESSAGE,
  maxFragments: 64,
  maxBufferedChunks: LARGEST_MESSAGE,
  closeTimeout: CLOSE_TIMEOUT_MS,
  // What they offer is none of ours.
  handleProtocols: () => false,
} as ConstructorParameters<typeof WebSocketServer>[0]);

/** Requests for a WebSocket, with what arrived behind their head. */
const asking = new WeakMap<IncomingMessage, Buffer>();

/**
 * Leads requests for a WebSocket to their doors like all others, so that the same guards stand before them and refusals
 * look the same. Node takes every request that names some upgrade for one; whatever is not meant for these doors is
 * handed back to it without that wish, and answered as if it had not been said.
 */
export function routeWebSockets(server: FastifyInstance): void {
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // From here on, nobody else listens.
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    onceAnswered(socket, () => {
      if (isForDoor(request)) return route(server, request, socket, head);
      socket.off('error', fail);
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      server.server.emit('connection', socket);
    });
  });
}

/** Calls back when what was asked before on this connection is answered, which is at once unless somebody pipelines. */
function onceAnswered(socket: Socket & { _httpMessage?: ServerResponse | null }, done: () => void): void {
  if (socket._httpMessage) socket._httpMessage.once('close', () => onceAnswered(socket, done));
  else if (!socket.destroyed) done();
}

function route(server: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  asking.set(request, head);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    socket.destroySoon();
  });
  server.routing(request, response);
}

/** Accepts the WebSocket that a request asks for; refuses what is no proper request for one. */
export function acceptWebSocket(reply: FastifyReply): [WebSocket, Socket] {
  const { raw: request } = reply.request;
  const { socket } = request;
  const head = asking.get(request);
  if (!head) {
    void reply.headers({ upgrade: 'websocket', connection: 'upgrade' });
    throw new DomainError('upgrade_required');
  }
  const [webSocket, fault] = shakeHands(request, head, reply.request.id);
  if (!webSocket) {
    throw new DomainError('invalid_request', {
      faults: [{ pointer: 'Upgrade', detail: fault ?? 'The client has left.' }],
    });
  }
  reply.hijack();
  reply.raw.detachSocket(socket);
  return [webSocket, socket];
}

function shakeHands(
  request: IncomingMessage,
  head: Buffer,
  requestId: string,
): [accepted: WebSocket | undefined, fault: string | undefined] {
  let accepted: WebSocket | undefined;
  let fault: string | undefined;
  const refuse = (error: Error): void => void (fault = `${error.message}.`);
  const name = (headers: string[]): void => void headers.push(`X-Request-Id: ${requestId}`);
  // All of it happens at once, so these are about this request.
  handshakes.on('wsClientError', refuse).on('headers', name);
  try {
    handshakes.handleUpgrade(request, request.socket, head, (webSocket) => (accepted = webSocket));
  } finally {
    handshakes.off('wsClientError', refuse).off('headers', name);
  }
  return [accepted, fault];
}

function isForDoor({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && DOORS.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
