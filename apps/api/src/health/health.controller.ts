import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/allow.decorator.js';
import { AnsweredRequests } from '../http/answered-requests.js';
import { Metrics } from '../http/metrics.js';
import { VERSION } from '../installation.js';
import { Readiness, type ReadinessReport } from './readiness.js';

/** For balancers, orchestrators and scrapers; nothing here tells of a tenant. */
@ApiTags('operation')
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly answered: AnsweredRequests,
    private readonly metrics: Metrics,
    @Inject(VERSION) private readonly version: string,
  ) {}

  /** Answers as long as the process lives. */
  @Get('livez')
  @ApiExcludeEndpoint()
  @Public('says nothing but that the process lives')
  live(): object {
    return { live: true };
  }

  /** Answers 200 when requests may come: the database answers, its schema is current, and no drain is under way. */
  @Get('readyz')
  @ApiExcludeEndpoint()
  @Public('says nothing but whether requests may come')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    void reply.status(report.ready ? 200 : 503);
    return report;
  }

  /** Figures for Prometheus. */
  @Get('metrics')
  @ApiExcludeEndpoint()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @Public('sums over all tenants; restrict it at the proxy where even these are private')
  figures(): Promise<string> {
    this.answered.tell();
    return this.metrics.text();
  }

  /** Says which version this is. */
  @Get('version')
  @ApiExcludeEndpoint()
  @Public('the version is in the published package anyway')
  which(): object {
    return { name: 'agentflow', version: this.version };
  }
}
