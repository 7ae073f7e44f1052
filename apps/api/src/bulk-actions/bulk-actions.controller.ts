import { BulkActionsService } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersAccepted, Refuses, Summary } from '../http/answers.js';
import { PageQuery, byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { BulkActionPage, BulkActionPreviewResponse, BulkActionResponse } from './dto/bulk-action.response.js';
import { CreateBulkActionDto } from './dto/create-bulk-action.dto.js';

@ApiTags('bulk-actions')
@Controller('v1/bulk-actions')
export class BulkActionsController {
  constructor(private readonly bulkActions: BulkActionsService) {}

  @Summary('Does something to many runs, in the background; with dry_run, tells what it would come to.')
  @PostOnce()
  @Allow('runs:control')
  @AnswersAccepted(
    { type: BulkActionResponse, description: 'What is to be done. A worker begins with it within seconds.' },
    {
      type: BulkActionPreviewResponse,
      description: 'A dry run: what it would come to now. Nothing was changed.',
    },
  )
  @Refuses('too_many_bulk_actions')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateBulkActionDto) {
    return this.bulkActions.create(caller, body);
  }

  @Summary('Lists the bulk actions that the key sees.')
  @Get()
  @Allow('runs:read')
  @Answers(200, BulkActionPage, 'One page of bulk actions.')
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return readPage('bulk-actions', caller, query, byCreation, (slice) =>
      this.bulkActions.list(caller, slice),
    );
  }

  @Summary('Shows a bulk action and how far it has come.')
  @Get(':bulk_action_id')
  @Allow('runs:read')
  @Answers(200, BulkActionResponse, 'The bulk action.')
  get(@CurrentCaller() caller: Caller, @Param('bulk_action_id') id: string) {
    return this.bulkActions.get(caller, id);
  }

  @Summary('Stops a bulk action where it is. What it has done stays done.')
  @PostOnce(':bulk_action_id/cancel')
  @Allow('runs:control')
  @Answers(200, BulkActionResponse, 'The bulk action as it is now. One that has ended stays as it ended.')
  cancel(@CurrentCaller() caller: Caller, @Param('bulk_action_id') id: string) {
    return this.bulkActions.cancel(caller, id);
  }
}
