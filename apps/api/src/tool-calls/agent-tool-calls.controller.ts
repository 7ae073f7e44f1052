import { AgentToolCallsService } from '@agentflow/core';
import { Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { PageQuery, byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { CompleteToolCallDto, CreateAgentToolCallDto } from './dto/tool-call.dto.js';
import { ToolCallPage, ToolCallResponse } from './dto/tool-call.response.js';

@ApiTags('tool calls')
@Controller('v1/agents/:agent_id/tool-calls')
export class AgentToolCallsController {
  constructor(private readonly calls: AgentToolCallsService) {}

  @Summary('Adds a tool call that an agent makes outside its runs.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, ToolCallResponse, 'The new call.')
  @Refuses('id_conflict')
  add(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: CreateAgentToolCallDto,
  ) {
    return this.calls.add(caller, agentId, body);
  }

  @Summary("Lists an agent's calls outside its runs, newest first.")
  @Get()
  @Allow('runs:read')
  @Answers(200, ToolCallPage, 'One page of calls.')
  list(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Query() query: PageQuery) {
    return readPage(`agents/${agentId}/tool-calls`, caller, query, byCreation, (slice) =>
      this.calls.list(caller, agentId, slice),
    );
  }

  @Summary('Shows one call outside runs.')
  @Get(':call_id')
  @Allow('runs:read')
  @Answers(200, ToolCallResponse, 'The call.')
  get(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Param('call_id') id: string) {
    return this.calls.get(caller, agentId, id);
  }

  @Summary('Completes a call outside runs. The first completion wins.')
  @Patch(':call_id')
  @Allow('runs:report')
  @Answers(200, ToolCallResponse, 'The call as it is now.')
  @Refuses('already_completed', 'tool_call.transition_refused')
  complete(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') agentId: string,
    @Param('call_id') id: string,
    @Body() body: CompleteToolCallDto,
  ) {
    return this.calls.complete(caller, agentId, id, body);
  }
}
