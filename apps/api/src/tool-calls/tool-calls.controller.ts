import { ToolCallsService } from '@agentflow/core';
import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from '../runs/under-lease.decorator.js';
import {
  CompleteOldestToolCallDto,
  CompleteToolCallDto,
  CreateToolCallDto,
  ListToolCallsQuery,
} from './dto/tool-call.dto.js';
import { ToolCallPage, ToolCallResponse } from './dto/tool-call.response.js';

@ApiTags('tool calls')
@Controller('v1/runs/:run_id/tool-calls')
export class ToolCallsController {
  constructor(private readonly calls: ToolCallsService) {}

  @UnderLease()
  @Summary('Adds a tool call to a run.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, ToolCallResponse, 'The new call.')
  @Refuses('run.final', 'run.deleted', 'id_conflict')
  add(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Body() body: CreateToolCallDto) {
    return this.calls.add(caller, runId, body);
  }

  @Summary('Lists the tool calls of a run.')
  @Get()
  @Allow('runs:read')
  @Answers(200, ToolCallPage, 'One page of calls.')
  list(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Query() query: ListToolCallsQuery) {
    return readPage(`runs/${runId}/tool-calls`, caller, query, byCreation, (slice) =>
      this.calls.list(caller, runId, slice, query.order, query.step_id),
    );
  }

  @UnderLease()
  @Summary('Completes the oldest open call of a name in a step, for adapters that know no ids.')
  @PostOnce('complete')
  @Allow('runs:report')
  @Answers(200, ToolCallResponse, 'The call that was completed.')
  @Refuses('run.final', 'run.deleted')
  completeOldest(
    @CurrentCaller() caller: Caller,
    @Param('run_id') runId: string,
    @Body() body: CompleteOldestToolCallDto,
  ) {
    return this.calls.completeOldest(caller, runId, body);
  }

  @Summary('Shows one tool call.')
  @Get(':call_id')
  @Allow('runs:read')
  @Answers(200, ToolCallResponse, 'The call.')
  get(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Param('call_id') id: string) {
    return this.calls.get(caller, runId, id);
  }

  @UnderLease()
  @Summary('Completes a tool call. The first completion wins.')
  @Patch(':call_id')
  @Allow('runs:report')
  @Answers(200, ToolCallResponse, 'The call as it is now.')
  @Refuses('run.final', 'run.deleted', 'already_completed', 'tool_call.transition_refused')
  complete(
    @CurrentCaller() caller: Caller,
    @Param('run_id') runId: string,
    @Param('call_id') id: string,
    @Body() body: CompleteToolCallDto,
  ) {
    return this.calls.complete(caller, runId, id, body);
  }
}
