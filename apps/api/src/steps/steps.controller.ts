import { StepsService } from '@agentflow/core';
import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { OrderedPageQuery, byIndex } from '../http/order.js';
import { readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from '../runs/under-lease.decorator.js';
import { ChangeStepDto, CreateStepDto } from './dto/step.dto.js';
import { StepPage, StepResponse } from './dto/step.response.js';

@ApiTags('steps')
@Controller('v1/runs/:run_id/steps')
export class StepsController {
  constructor(private readonly steps: StepsService) {}

  @UnderLease()
  @Summary('Adds a step to a run, at the next index.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, StepResponse, 'The new step.')
  @Refuses('run.final', 'run.deleted', 'id_conflict')
  add(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Body() body: CreateStepDto) {
    return this.steps.add(caller, runId, body);
  }

  @Summary('Lists the steps of a run.')
  @Get()
  @Allow('runs:read')
  @Answers(200, StepPage, 'One page of steps.')
  list(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Query() query: OrderedPageQuery) {
    return readPage(`runs/${runId}/steps`, caller, query, byIndex, (slice) =>
      this.steps.list(caller, runId, slice, query.order),
    );
  }

  @Summary('Shows one step.')
  @Get(':step_id')
  @Allow('runs:read')
  @Answers(200, StepResponse, 'The step.')
  get(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Param('step_id') id: string) {
    return this.steps.get(caller, runId, id);
  }

  @UnderLease()
  @Summary('Updates or completes a step. The first completion wins.')
  @Patch(':step_id')
  @Allow('runs:report')
  @Answers(200, StepResponse, 'The step as it is now.')
  @Refuses('run.final', 'run.deleted', 'step.transition_refused', 'already_completed')
  change(
    @CurrentCaller() caller: Caller,
    @Param('run_id') runId: string,
    @Param('step_id') id: string,
    @Body() body: ChangeStepDto,
  ) {
    return this.steps.change(caller, runId, id, body);
  }
}
