import { ApprovalsService } from '@agentflow/core';
import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { Answers, Summary } from '../http/answers.js';
import { Param, Query } from '../http/request-parts.js';
import { ApprovalResponse } from './dto/approval.response.js';
import { AwaitApprovalQuery } from './dto/list-approvals.query.js';
import { Patience } from './patience.js';

@ApiTags('approvals')
@Controller('v1/runs/:run_id/approvals')
export class RunApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly patience: Patience,
  ) {}

  @Summary('Shows an approval of a run; with wait=…, as soon as it is decided.')
  @Get(':approval_id')
  @Allow('runs:read')
  @Answers(200, ApprovalResponse, 'The approval: pending still, when nobody has decided in that time.')
  await(
    @Req() request: AuthenticatedRequest,
    @Param('run_id') runId: string,
    @Param('approval_id') id: string,
    @Query() { wait = 0 }: AwaitApprovalQuery,
  ) {
    return this.patience.within(request, wait, (stopping) =>
      this.approvals.await(request.user, runId, id, stopping),
    );
  }
}
