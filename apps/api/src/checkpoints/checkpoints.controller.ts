import { CheckpointsService } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { OrderedPageQuery, byIndex } from '../http/order.js';
import { readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from '../runs/under-lease.decorator.js';
import { CheckpointPage, CheckpointResponse, CreateCheckpointDto } from './dto/checkpoint.dto.js';

@ApiTags('checkpoints')
@Controller('v1/runs/:run_id/checkpoints')
export class CheckpointsController {
  constructor(private readonly checkpoints: CheckpointsService) {}

  @UnderLease()
  @Summary('Adds a checkpoint to a run, at the next index.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, CheckpointResponse, 'The new checkpoint.')
  @Refuses('run.final', 'run.deleted', 'id_conflict')
  add(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Body() body: CreateCheckpointDto) {
    return this.checkpoints.add(caller, runId, body);
  }

  @Summary('Lists the checkpoints of a run, without their states.')
  @Get()
  @Allow('runs:read')
  @Answers(200, CheckpointPage, 'One page of checkpoints.')
  list(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Query() query: OrderedPageQuery) {
    return readPage(`runs/${runId}/checkpoints`, caller, query, byIndex, (slice) =>
      this.checkpoints.list(caller, runId, slice, query.order),
    );
  }

  @Summary('Shows the checkpoint with the highest index, with its state.')
  @Get('latest')
  @Allow('runs:read')
  @Answers(200, CheckpointResponse, 'The latest checkpoint.')
  latest(@CurrentCaller() caller: Caller, @Param('run_id') runId: string) {
    return this.checkpoints.get(caller, runId, 'latest');
  }

  @Summary('Shows one checkpoint with its state.')
  @Get(':index')
  @Allow('runs:read')
  @Answers(200, CheckpointResponse, 'The checkpoint.')
  get(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Param('index') index: number) {
    return this.checkpoints.get(caller, runId, index);
  }
}
