import type { Limits } from '@agentflow/core';
import { decodeOpenaiTraces } from '@agentflow/dialects';
import { Controller, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { LIMITS } from '../installation.js';
import { PostReports } from './post-reports.decorator.js';
import { acceptance, jsonLimitsOf, readable, textIn } from './received-body.js';
import { OPENAI_AGENTS } from './report-dialects.js';
import { ReportDoors } from './report-doors.js';

/** What the tracing of the OpenAI Agents SDK sends. */
@ApiExcludeController()
@Controller('openai')
export class OpenaiController {
  constructor(
    private readonly doors: ReportDoors,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  @PostReports('v1/traces/ingest')
  async ingest(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { records, refused, notKept } = await this.doors.admit(caller, OPENAI_AGENTS, async () =>
      readable(decodeOpenaiTraces(await textIn(body, this.limits), jsonLimitsOf(this.limits))),
    );
    void reply.status(200).send(acceptance(records, refused, notKept));
  }
}
