import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AuthenticatedRequest } from '../access/caller.js';
import { LOG } from '../installation.js';
import { Metrics } from './metrics.js';

/** What is told of a request: never its address, whose ids and texts are the tenant's. */
interface AnsweredRequest {
  /** When it was answered, in milliseconds since 1970. */
  time: number;
  req_id: string;
  method: string;
  /** The route's pattern; absent when there is none. */
  route: string | undefined;
  status: number;
  ms: number;
  tenant: string | undefined;
  key: string | undefined;
}

const TELL_EVERY_MS = 100;
const TELL_AT = 1_000;

/**
 * Tells the log and the metrics of every answered request, many in a row. One by one costs 31 µs a request, a sixth of
 * `GET /v1/me`, since between two requests all that it takes leaves the processor's cache; in a row it is 5 µs.
 */
@Injectable()
export class AnsweredRequests implements OnApplicationShutdown {
  private untold: AnsweredRequest[] = [];
  private readonly timer = setInterval(() => this.tell(), TELL_EVERY_MS).unref();

  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly metrics: Metrics,
  ) {}

  note(request: FastifyRequest, reply: FastifyReply): void {
    const caller = (request as AuthenticatedRequest).user as AuthenticatedRequest['user'] | undefined;
    this.untold.push({
      time: Date.now(),
      req_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      tenant: caller?.scope.tenantId,
      key: caller?.key?.publicId,
    });
    if (this.untold.length >= TELL_AT) this.tell();
  }

  /** Tells what is left to tell; whoever reads the log or the metrics asks for it first. */
  tell(): void {
    const requests = this.untold;
    this.untold = [];
    for (const request of requests) {
      const { method, route = 'none', status, ms } = request;
      this.metrics.count({ method, route, status }, ms / 1000);
      request.ms = Math.round(ms * 100) / 100;
      this.log.info(request, 'request');
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.tell();
  }
}
