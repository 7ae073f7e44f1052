import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Readiness } from '../health/readiness.js';

export interface DrainOptions {
  app: NestFastifyApplication;
  log: Logger;
  /** How long a balancer gets to notice that the process is not ready any more. */
  delayMs: number;
  /** How long requests under way get to finish. */
  timeoutMs: number;
}

/**
 * Ends the service without losing a request: not ready first, then no new connections, then the requests under way
 * are waited for. `app.close()` alone would wait for ever where a stream is open, so what is left is cut off.
 */
export async function drain({ app, log, delayMs, timeoutMs }: DrainOptions): Promise<void> {
  app.get(Readiness).startDraining();
  await delay(delayMs);
  const closed = app.close().then(() => true);
  const isQuiet = await Promise.race([closed, delay(timeoutMs, false, { ref: false })]);
  if (isQuiet) return;
  log.warn('requests were still under way at the end of the drain');
  (app.getHttpServer() as Server).closeAllConnections();
  await closed;
}
