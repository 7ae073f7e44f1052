import { AgentDeletion, AgentsService } from '@agentflow/core';
import { Controller, Delete, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { IfMatchVersion } from '../http/if-match.js';
import { byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { ChangeAgentDto, CreateAgentDto, ListAgentsQuery } from './dto/agent.dto.js';
import { AgentPage, AgentResponse } from './dto/agent.response.js';

@ApiTags('agents')
@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly deletion: AgentDeletion,
  ) {}

  @Summary('Creates an agent with its version 1.')
  @PostOnce()
  @Allow('agents:create')
  @Answers(201, AgentResponse, 'The new agent.')
  @Refuses('not_found', 'name_taken')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAgentDto) {
    return this.agents.create(caller, body);
  }

  @Summary('Lists the agents that the key sees.')
  @Get()
  @Allow('agents:read')
  @Answers(200, AgentPage, 'One page of agents.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListAgentsQuery) {
    return readPage('agents', caller, query, byCreation, (slice) =>
      this.agents.list(caller, slice, query.project_id),
    );
  }

  @Summary('Shows one agent.')
  @Get(':agent_id')
  @Allow('agents:read')
  @Answers(200, AgentResponse, 'The agent.')
  get(@CurrentCaller() caller: Caller, @Param('agent_id') id: string) {
    return this.agents.get(caller, id);
  }

  @Summary('Changes an agent; a different adapter, config or description makes a new version.')
  @Patch(':agent_id')
  @Allow('agents:manage')
  @Answers(200, AgentResponse, 'The agent as it is now.')
  @Refuses('name_taken', 'version_mismatch')
  change(
    @CurrentCaller() caller: Caller,
    @Param('agent_id') id: string,
    @Body() body: ChangeAgentDto,
    @IfMatchVersion() expectedVersion: number | undefined,
  ) {
    return this.agents.change(caller, id, { ...body, expectedVersion });
  }

  @Summary(
    'Deletes an agent with all that is below it. It is out of sight at once; a call that broke off may be repeated.',
  )
  @Delete(':agent_id')
  @Allow('agents:manage')
  @AnswersNothing('The agent is gone.')
  remove(@CurrentCaller() caller: Caller, @Param('agent_id') id: string) {
    return this.deletion.remove(caller, id);
  }
}
