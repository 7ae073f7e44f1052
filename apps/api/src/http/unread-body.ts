import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a client has to read the answer before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Call it before a refusal: when the body has not arrived yet, no more of it is read, and the connection is closed
 * behind the answer. Not at once, as Node would: cutting it off while the client still sends makes many clients
 * report a broken connection in place of the answer.
 */
export function leaveBodyUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
  if (!hasBody || raw.complete) return;
  reply.header('connection', 'close');
  raw.pause();
  raw.read(0); // Of a body that nobody has touched, Node would read the rest to throw it away.
  const { socket } = raw;
  // Node calls this when the answer is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}
