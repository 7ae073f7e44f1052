import { RunsService } from '@agentflow/core';
import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { CreateRunDto } from './dto/create-run.dto.js';
import { ListRunsQuery } from './dto/list-runs.query.js';
import { DeleteRunQuery } from './dto/move-run.dto.js';
import { RunWithChildrenResponse, ShowRunQuery } from './dto/run-with-children.response.js';
import { HeldRunResponse, RunPage } from './dto/run.response.js';
import { RunQueries } from './run-queries.js';

@ApiTags('runs')
@Controller('v1/runs')
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly queries: RunQueries,
  ) {}

  @Summary('Creates a run, and starts it at once when asked to.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, HeldRunResponse, 'The new run.')
  @Refuses('not_found', 'id_conflict', 'external_id_conflict', 'name_taken', 'run.deleted')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateRunDto) {
    return this.runs.create(caller, body);
  }

  @Summary('Lists the runs that the key sees.')
  @Get()
  @Allow('runs:read')
  @Answers(200, RunPage, 'One page of runs.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListRunsQuery) {
    return readPage('runs', caller, query, byCreation, (slice) => this.queries.list(caller, query, slice));
  }

  @Summary('Shows one run; with include=…, the first page of what belongs to it.')
  @Get(':run_id')
  @Allow('runs:read')
  @Answers(200, RunWithChildrenResponse, 'The run.')
  get(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Query() query: ShowRunQuery) {
    return this.queries.show(caller, id, query.include ?? []);
  }

  @Summary('Deletes a run with all that is below it. For a day, its id answers late writes with 410.')
  @Delete(':run_id')
  @Allow('runs:delete')
  @AnswersNothing('The run is gone.')
  @Refuses('run.active')
  remove(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Query() query: DeleteRunQuery) {
    return this.runs.remove(caller, id, query.force ?? false);
  }
}
