import type { Limits } from '@agentflow/core';
import { decodeLangfuseBatch } from '@agentflow/dialects';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow, Public } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller, type Named } from '../access/caller.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { LIMITS, VERSION } from '../installation.js';
import { PostReports } from './post-reports.decorator.js';
import { jsonLimitsOf, readable, textIn } from './received-body.js';
import { LANGFUSE } from './report-dialects.js';
import { ReportDoors } from './report-doors.js';

/** What Langfuse's clients send and ask beside OTLP, in which the present ones report. */
@ApiExcludeController()
@Controller('langfuse/api/public')
export class LangfuseController {
  constructor(
    private readonly doors: ReportDoors,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(VERSION) private readonly version: string,
  ) {}

  /** Their check of a key: the project that it belongs to. Their client for Python refuses an answer without the organization. */
  @Get('projects')
  @Allow('identity:read')
  projects(@CurrentCaller() { project, organization }: Caller, @Res() reply: FastifyReply): void {
    void reply.send({
      data: [{ ...namedOf(project ?? organization), organization: namedOf(organization), metadata: {} }],
    });
  }

  @Get('health')
  @Public('It says that somebody is here, as /livez does.')
  health(@Res() reply: FastifyReply): void {
    void reply.send({ status: 'OK', version: this.version });
  }

  /** How clients before version 3 report: events, each with its own status. */
  @PostReports('ingestion')
  async ingestion(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const reading = await this.doors.admit(caller, LANGFUSE, async () =>
      readable(decodeLangfuseBatch(await textIn(body, this.limits), jsonLimitsOf(this.limits))),
    );
    const refused = [...reading.refused, ...reading.notKept];
    const isRefused = new Set(refused.map(({ id }) => id));
    const successes = reading.taken.filter((id) => !isRefused.has(id)).map((id) => ({ id, status: 201 }));
    const errors = refused.map(({ id, detail }) => ({ id, status: 400, message: detail }));
    void reply.status(207).send({ successes, errors });
  }
}

function namedOf({ id, name }: Named = { id: '', name: '' }): Named {
  return { id, name };
}
