import { ApprovalsService } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { ApprovalPage, ApprovalResponse } from './dto/approval.response.js';
import { DecideApprovalDto } from './dto/decide-approval.dto.js';
import { ListApprovalsQuery } from './dto/list-approvals.query.js';

@ApiTags('approvals')
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Summary('Lists what runs ask of people: the inbox of the key.')
  @Get()
  @Allow('runs:read')
  @Answers(200, ApprovalPage, 'One page of approvals.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListApprovalsQuery) {
    return readPage('approvals', caller, query, byCreation, (slice) =>
      this.approvals.list(caller, query, slice),
    );
  }

  @Summary('Shows one approval, with what was asked and what was answered.')
  @Get(':approval_id')
  @Allow('runs:read')
  @Answers(200, ApprovalResponse, 'The approval.')
  get(@CurrentCaller() caller: Caller, @Param('approval_id') id: string) {
    return this.approvals.get(caller, id);
  }

  @Summary('Decides an approval, once. With the last decision that it waits for the run goes on.')
  @PostOnce(':approval_id/decide')
  @Allow('runs:control')
  @Answers(200, ApprovalResponse, 'The approval as it is now. The same decision again answers the same.')
  @Refuses('approval.decided', 'approval.stale')
  decide(@CurrentCaller() caller: Caller, @Param('approval_id') id: string, @Body() body: DecideApprovalDto) {
    return this.approvals.decide(caller, id, body);
  }
}
