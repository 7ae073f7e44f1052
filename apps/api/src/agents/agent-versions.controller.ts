import { AgentsService, type AgentVersionRow } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Summary } from '../http/answers.js';
import { PageQuery, readPage } from '../http/page.js';
import { Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { AgentDiffResponse, AgentVersionPage, AgentVersionResponse } from './dto/agent-version.response.js';
import { DiffQuery } from './dto/agent.dto.js';
import { AgentResponse } from './dto/agent.response.js';

const byVersion = (row: AgentVersionRow): [number] => [row.version];

@ApiTags('agents')
@Controller('v1/agents/:agent_id/versions')
export class AgentVersionsController {
  constructor(private readonly agents: AgentsService) {}

  @Summary('Lists the versions of an agent.')
  @Get()
  @Allow('agents:read')
  @Answers(200, AgentVersionPage, 'One page of versions.')
  list(@CurrentCaller() caller: Caller, @Param('agent_id') id: string, @Query() query: PageQuery) {
    return readPage(`agents/${id}/versions`, caller, query, byVersion, (slice) =>
      this.agents.versions(caller, id, slice),
    );
  }

  @Summary('Compares two versions.')
  @Get('diff')
  @Allow('agents:read')
  @Answers(200, AgentDiffResponse, 'What differs.')
  diff(@CurrentCaller() caller: Caller, @Param('agent_id') id: string, @Query() query: DiffQuery) {
    return this.agents.diff(caller, id, query.from, query.to);
  }

  @Summary('Shows one version.')
  @Get(':version')
  @Allow('agents:read')
  @Answers(200, AgentVersionResponse, 'The version.')
  get(@CurrentCaller() caller: Caller, @Param('agent_id') id: string, @Param('version') version: number) {
    return this.agents.version(caller, id, version);
  }

  @Summary(
    'Makes a new version with the content of an old one; nothing changes when that is the present content.',
  )
  @PostOnce(':version/restore')
  @Allow('agents:manage')
  @Answers(200, AgentResponse, 'The agent as it is now.')
  restore(@CurrentCaller() caller: Caller, @Param('agent_id') id: string, @Param('version') version: number) {
    return this.agents.restore(caller, id, version);
  }
}
