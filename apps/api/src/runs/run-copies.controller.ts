import { RunCopiesService } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersIfAny, Refuses, Summary } from '../http/answers.js';
import { Body, Param } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { ClaimedRunResponse, ClaimRunDto, CopyRunDto, LineageResponse } from './dto/copy-run.dto.js';
import { RunResponse } from './dto/run.response.js';

@ApiTags('runs')
@Controller('v1/runs')
export class RunCopiesController {
  constructor(private readonly copies: RunCopiesService) {}

  @Summary('Picks up the oldest pending run of an agent, and starts it under a lease.')
  @PostOnce('claim')
  @Allow('runs:report')
  @AnswersIfAny(ClaimedRunResponse, 'The run, with what to begin with.', 'No run of the agent is pending.')
  @Refuses('not_found')
  claim(@CurrentCaller() caller: Caller, @Body() body: ClaimRunDto) {
    return this.copies.claim(caller, body);
  }

  @Summary('Makes a new run that does again what this one did; it waits to be picked up.')
  @PostOnce(':run_id/retry')
  @Allow('runs:control')
  @Answers(201, RunResponse, 'The new run.')
  @Refuses('run.deleted')
  retry(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: CopyRunDto) {
    return this.copies.retry(caller, id, body);
  }

  @Summary('Makes a new run that goes on from a checkpoint of this one; it waits to be picked up.')
  @PostOnce(':run_id/checkpoints/:index/fork')
  @Allow('runs:control')
  @Answers(201, RunResponse, 'The new run.')
  @Refuses('run.deleted')
  fork(
    @CurrentCaller() caller: Caller,
    @Param('run_id') id: string,
    @Param('index') index: number,
    @Body() body: CopyRunDto,
  ) {
    return this.copies.fork(caller, id, index, body);
  }

  @Summary('Shows where a run comes from, and which runs came from it.')
  @Get(':run_id/lineage')
  @Allow('runs:read')
  @Answers(200, LineageResponse, 'The runs above and below it, as far as the key sees them.')
  lineage(@CurrentCaller() caller: Caller, @Param('run_id') id: string) {
    return this.copies.lineage(caller, id);
  }
}
