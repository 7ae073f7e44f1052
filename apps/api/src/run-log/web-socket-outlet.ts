import type { FastifyReply } from 'fastify';
import { acceptWebSocket } from '../http/web-sockets.js';
import type { Outlet, StreamEnd } from './outlet.js';

/** Codes of RFC 6455 for how a stream ends. Of a client that does not read, nobody can take leave. */
const CODES: Readonly<Record<StreamEnd, readonly [code: number, reason: string]>> = {
  over: [1000, 'everything is told'],
  ending: [1001, 'come again'],
  unproven: [1008, 'the key is not good any more'],
  broken: [1011, 'come again'],
  left: [1000, ''],
};

/** A client may say something, which nobody listens to; not this often. */
const MOST_FRAMES_A_SECOND = 100;

/** Heartbeats that may remain without an answer. */
const MOST_UNANSWERED = 2;

/** Accepts the WebSocket that a request asks for; a part is some messages, each sent as text. */
export function openWebSocket(reply: FastifyReply): Outlet<readonly string[]> {
  const [webSocket, socket] = acceptWebSocket(reply);
  let unanswered = 0;
  let heard = 0;
  let heardSince = performance.now();
  const hear = (): void => {
    const now = performance.now();
    if (now - heardSince >= 1_000) [heard, heardSince] = [0, now];
    if (++heard > MOST_FRAMES_A_SECOND) webSocket.close(1008, 'only the server speaks here');
  };
  webSocket.on('message', hear).on('ping', hear);
  webSocket.on('pong', () => {
    unanswered = 0;
    hear();
  });
  // What is no WebSocket frame, or too large, closes it with a code of its own; there is nothing else to do.
  webSocket.on('error', () => undefined);
  return {
    writable: socket,
    get bytesWritten() {
      return socket.bytesWritten;
    },
    send: (messages) => {
      for (const message of messages) webSocket.send(message);
    },
    beat: () => {
      if (unanswered++ >= MOST_UNANSWERED) webSocket.terminate();
      else webSocket.ping();
    },
    end: (why) => webSocket.close(...CODES[why]),
  };
}
