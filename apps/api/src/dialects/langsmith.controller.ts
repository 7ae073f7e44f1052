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
import { acceptance, bytesIn, jsonLimitsOf, readable, textIn } from './received-body.js';
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
    await this.take(caller, reply, async () =>
      decodeLangsmithMultipart(await bytesIn(body, this.limits), boundary, jsonLimitsOf(this.limits)),
    );
  }

  @PostReports('runs/batch')
  async batch(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.take(caller, reply, async () =>
      decodeLangsmithBatch(await textIn(body, this.limits), jsonLimitsOf(this.limits)),
    );
  }

  @PostReports('runs')
  async create(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.take(caller, reply, async () =>
      decodeLangsmithRun(await textIn(body, this.limits), 'post', undefined, jsonLimitsOf(this.limits)),
    );
  }

  @PatchReports('runs/:their_id')
  async change(
    @CurrentCaller() caller: Caller,
    @Param('their_id') id: string,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.take(caller, reply, async () =>
      decodeLangsmithRun(await textIn(body, this.limits), 'patch', id, jsonLimitsOf(this.limits)),
    );
  }

  private async take(
    caller: Caller,
    reply: FastifyReply,
    read: () => Promise<LangsmithReading>,
  ): Promise<void> {
    const { records, refused, notKept } = await this.doors.admit(caller, LANGSMITH, async () =>
      readable(await read()),
    );
    void reply.status(202).send(acceptance(records, refused, notKept));
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
