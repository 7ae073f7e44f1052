import { AuditLog } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Summary } from '../http/answers.js';
import { byTime, readPage } from '../http/page.js';
import { Query } from '../http/request-parts.js';
import { AuditLogPage } from './dto/audit-entry.response.js';
import { ListAuditLogQuery } from './dto/list-audit-log.query.js';

@ApiTags('audit log')
@Controller('v1/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLog) {}

  @Summary('Lists who did what to what, as far as the key sees it.')
  @Get()
  @Allow('audit:read')
  @Answers(200, AuditLogPage, 'One page of the audit log.')
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditLogQuery) {
    return readPage('audit-log', caller, query, byTime, (slice) => this.log.list(caller, query, slice));
  }
}
