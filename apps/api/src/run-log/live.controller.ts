import { LiveService } from '@agentflow/core';
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { Body, Param } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from '../runs/under-lease.decorator.js';
import { PostLiveDto } from './dto/post-live.dto.js';
import { liveFrames } from './live-frames.js';

@ApiTags('runs')
@Controller('v1/runs/:run_id/live')
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @UnderLease()
  @Summary('Says something to those who follow a run at this moment. It is not kept.')
  @PostOnce()
  @Allow('runs:report')
  @AnswersNothing('It was said, if somebody listens.')
  @Refuses('run.final', 'run.deleted')
  post(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Body() body: PostLiveDto) {
    return this.live.post(caller, runId, liveFrames(runId, body.items));
  }
}
