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
import { jsonLimitsOf, malformed, textIn } from './received-body.js';
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
    const reading = decodeOpenaiTraces(await textIn(body, this.limits), jsonLimitsOf(this.limits));
    if (!reading.ok) throw malformed(reading.detail);
    const { refused } = await this.doors.take(caller, OPENAI_AGENTS, reading.records);
    void reply
      .status(200)
      .send({ accepted: reading.records.length, refused: [...reading.refused, ...refused].slice(0, 20) });
  }
}
