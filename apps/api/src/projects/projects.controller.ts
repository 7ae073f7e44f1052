import { Controller, Delete, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { PageQuery, byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { ChangeProjectDto, CreateProjectDto } from './dto/project.dto.js';
import { DeleteProjectQuery } from './dto/delete-project.query.js';
import { ProjectPage, ProjectResponse } from './dto/project.response.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('projects')
@Controller('v1/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Summary('Creates a project.')
  @PostOnce()
  @Allow('projects:create')
  @Answers(201, ProjectResponse, 'The new project.')
  @Refuses('name_taken')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateProjectDto) {
    return this.projects.create(caller, body);
  }

  @Summary('Lists the projects that the key sees.')
  @Get()
  @Allow('projects:read')
  @Answers(200, ProjectPage, 'One page of projects.')
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return readPage('projects', caller, query, byCreation, (slice) => this.projects.list(caller, slice));
  }

  @Summary('Shows one project.')
  @Get(':project_id')
  @Allow('projects:read')
  @Answers(200, ProjectResponse, 'The project.')
  get(@CurrentCaller() caller: Caller, @Param('project_id') id: string) {
    return this.projects.get(caller, id);
  }

  @Summary('Changes the name or the description.')
  @Patch(':project_id')
  @Allow('projects:manage')
  @Answers(200, ProjectResponse, 'The project as it is now.')
  @Refuses('name_taken')
  change(@CurrentCaller() caller: Caller, @Param('project_id') id: string, @Body() body: ChangeProjectDto) {
    return this.projects.change(caller, id, body);
  }

  @Summary('Deletes a project; with cascade=true its agents and their runs, too.')
  @Delete(':project_id')
  @Allow('projects:manage')
  @AnswersNothing('The project is gone.')
  @Refuses('project.not_empty')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('project_id') id: string,
    @Query() query: DeleteProjectQuery,
  ) {
    return this.projects.remove(caller, id, query.cascade ?? false);
  }
}
