import { ExecutionLog, RunLog, type ExecutionTale } from '@agentflow/core';
import { encodeJson } from '@agentflow/domain';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../access/allow.decorator.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { AnsweredRequests } from '../http/answered-requests.js';
import { AnswersWebSocket, Refuses, Summary } from '../http/answers.js';
import { Param, Query } from '../http/request-parts.js';
import { beginning } from './beginning.js';
import { FollowExecutionQuery } from './dto/follow-run.query.js';
import { EventStreams } from './event-streams.js';
import { openWebSocket } from './web-socket-outlet.js';

@ApiTags('runs')
@Controller('ws/execution/:run_id')
export class ExecutionController {
  constructor(
    private readonly runLog: RunLog,
    private readonly executionLog: ExecutionLog,
    private readonly streams: EventStreams,
    private readonly answered: AnsweredRequests,
  ) {}

  @Summary('Opens a WebSocket that tells what happened to a run and what happens, as execution events.')
  @Get()
  @Allow('runs:read')
  @AnswersWebSocket(
    'The events, each a message of text, in order: those there are, then each as it is committed. Closed with 1000 behind the last event of a run that has ended.',
  )
  @Refuses('too_many_streams', 'upgrade_required')
  async follow(
    @Req() request: AuthenticatedRequest,
    @Param('run_id') runId: string,
    @Query() query: FollowExecutionQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = beginning(await this.runLog.endOf(request.user, runId), query.after);
    await this.streams.sendBy(
      () => openWebSocket(reply),
      request,
      'runs:read',
      (stopping) => messages(this.executionLog.follow(request.user, runId, after, stopping)),
    );
    // What has become a WebSocket is no answer that Fastify would note.
    this.answered.note(request, reply.status(101));
  }
}

async function* messages(tales: AsyncIterable<ExecutionTale>): AsyncGenerator<string[]> {
  for await (const { events } of tales) yield events.map((event) => encodeJson(event));
}
