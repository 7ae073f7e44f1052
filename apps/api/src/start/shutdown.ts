import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Readiness } from '../health/readiness.js';
import { EventStreams } from '../run-log/event-streams.js';

/** During the drain every answer closes its connection, so that a client's next request goes elsewhere. */
export function closeConnectionsInDrain(server: FastifyInstance, readiness: Readiness): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}

/**
 * Follows a server's connections, and answers what ends those on which nothing was ever asked: Node waits for them
 * as if a request were under way.
 */
export function followConnections(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

export interface DrainOptions {
  app: NestFastifyApplication;
  log: Logger;
  /** Ends the connections on which nothing was asked. */
  endSilentConnections: () => void;
  /** How long a balancer gets to notice that the process is not ready any more. */
  delayMs: number;
  /** How long requests under way get to finish. */
  timeoutMs: number;
}

/**
 * Ends the service without losing a request: not ready first, then no new connections and no more streams, which go on
 * elsewhere, then the requests under way are waited for. What never ends is cut off. The application itself ends last: requests need its parts.
 */
export async function drain(options: DrainOptions): Promise<void> {
  const { app, log, endSilentConnections, delayMs, timeoutMs } = options;
  app.get(Readiness).startDraining();
  await delay(delayMs);
  app.get(EventStreams).end();
  const closed = (app.getHttpAdapter().close() as Promise<void>).then(() => true);
  endSilentConnections();
  const isQuiet = await Promise.race([closed, delay(timeoutMs, false, { ref: false })]);
  if (!isQuiet) {
    log.warn('requests were still under way at the end of the drain');
    (app.getHttpServer() as Server).closeAllConnections();
    await closed;
  }
  await app.close();
}
