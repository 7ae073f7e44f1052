import { MessagesService } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { OrderedPageQuery, byIndex } from '../http/order.js';
import { readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from '../runs/under-lease.decorator.js';
import { CreateMessageDto, MessagePage, MessageResponse } from './dto/message.dto.js';

@ApiTags('messages')
@Controller('v1/runs/:run_id/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @UnderLease()
  @Summary('Adds a message to a run, at the next index.')
  @PostOnce()
  @Allow('runs:report')
  @Answers(201, MessageResponse, 'The new message.')
  @Refuses('run.final', 'run.deleted', 'id_conflict')
  add(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Body() body: CreateMessageDto) {
    return this.messages.add(caller, runId, body);
  }

  @Summary('Lists the messages of a run.')
  @Get()
  @Allow('runs:read')
  @Answers(200, MessagePage, 'One page of messages.')
  list(@CurrentCaller() caller: Caller, @Param('run_id') runId: string, @Query() query: OrderedPageQuery) {
    return readPage(`runs/${runId}/messages`, caller, query, byIndex, (slice) =>
      this.messages.list(caller, runId, slice, query.order),
    );
  }
}
