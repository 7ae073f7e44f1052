import type { IngestItem } from '@agentflow/contracts';
import { IngestService, rejected, type Limits, type Verdict } from '@agentflow/core';
import { DomainError, type RawJson } from '@agentflow/domain';
import { Controller, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Admission } from '../admission/admission.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { WideBody } from '../http/wide-body.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { LIMITS } from '../installation.js';
import { IngestResponse } from './dto/ingest.response.js';
import { ItemsBody } from './items-body.decorator.js';
import { readItem } from './item-reader.js';
import { readBatch } from './read-batch.js';

@ApiTags('ingest')
@Controller('v1/ingest')
export class IngestController {
  constructor(
    private readonly service: IngestService,
    private readonly admission: Admission,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  @Summary('Takes a batch of items, in any order and any number of times. Each has its verdict.')
  @PostOnce()
  @WideBody('runs:report')
  @ItemsBody()
  @Answers(200, IngestResponse, 'What became of each item; what is kept is committed.')
  @Refuses('request_too_large', 'unsupported_media_type', 'too_many_items')
  async ingest(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
  ): Promise<Verdict[]> {
    return this.admission.admit(caller, async (spend) => {
      const readings = (await readBatch(body, this.limits)).map(readItem);
      spend(readings.length);
      const items = readings.filter((item): item is IngestItem<RawJson> => !(item instanceof DomainError));
      const verdicts = (await this.service.ingest(caller, { items, amends: false })).values();
      return readings.map((item) =>
        item instanceof DomainError ? rejected(item) : (verdicts.next().value as Verdict),
      );
    });
  }
}
