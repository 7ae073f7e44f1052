import type { Limits } from '@agentflow/core';
import {
  decodeLangsmithBatch,
  decodeLangsmithMultipart,
  decodeLangsmithRun,
  type LangsmithReading,
} from '@agentflow/dialects';
import { DomainError } from '@agentflow/domain';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { Param } from '../http/request-parts.js';
import { LIMITS, VERSION } from '../installation.js';
import { PatchReports, PostReports } from './post-reports.decorator.js';
import { bytesIn, jsonLimitsOf, malformed, textIn } from './received-body.js';
import { LANGSMITH } from './report-dialects.js';
import { ReportDoors } from './report-doors.js';

/** What LangSmith's clients send, as far as it is writing. */
@ApiExcludeController()
@Controller('langsmith')
export class LangsmithController {
  constructor(
    private readonly doors: ReportDoors,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(VERSION) private readonly version: string,
  ) {}

  /** Asked before anything else, sometimes without a key. A missing member ends the tracing of the Python client. */
  @Get('info')
  @Public('It says what may be sent, which the guides say as well.')
  info(@Res() reply: FastifyReply): void {
    const batch_ingest_config = {
      use_multipart_endpoint: true,
      size_limit: 100,
      size_limit_bytes: this.limits.batchBytes,
      scale_up_nthreads_limit: 16,
      scale_up_qsize_trigger: 1_000,
      scale_down_nempty_trigger: 4,
    };
    void reply.send({
      version: this.version,
      batch_ingest_config,
      instance_flags: { gzip_body_enabled: true },
    });
  }

  @PostReports('runs/multipart')
  async multipart(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const boundary = boundaryIn(body?.mediaType);
    const bytes = await bytesIn(body, this.limits);
    await this.take(caller, decodeLangsmithMultipart(bytes, boundary, jsonLimitsOf(this.limits)), reply);
  }

  @PostReports('runs/batch')
  async batch(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await textIn(body, this.limits);
    await this.take(caller, decodeLangsmithBatch(text, jsonLimitsOf(this.limits)), reply);
  }

  @PostReports('runs')
  async create(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await textIn(body, this.limits);
    await this.take(caller, decodeLangsmithRun(text, 'post', undefined, jsonLimitsOf(this.limits)), reply);
  }

  @PatchReports('runs/:their_id')
  async change(
    @CurrentCaller() caller: Caller,
    @Param('their_id') id: string,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await textIn(body, this.limits);
    await this.take(caller, decodeLangsmithRun(text, 'patch', id, jsonLimitsOf(this.limits)), reply);
  }

  private async take(caller: Caller, reading: LangsmithReading, reply: FastifyReply): Promise<void> {
    if (!reading.ok) throw malformed(reading.detail);
    const { refused } = await this.doors.take(caller, LANGSMITH, reading.records);
    void reply
      .status(202)
      .send({ accepted: reading.records.length, refused: [...reading.refused, ...refused].slice(0, 20) });
  }
}

const BOUNDARY = /^multipart\/form-data\s*;(?:[^"]*;)?\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

function boundaryIn(mediaType = ''): string {
  const [, quoted, plain] = BOUNDARY.exec(mediaType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw new DomainError('unsupported_media_type', {
    detail: 'Send Content-Type: multipart/form-data; boundary=….',
  });
}
