import { ExecutionLog, LiveService, RunLog, type ExecutionTale, type RunEventRow } from '@agentflow/core';
import { isTerminal } from '@agentflow/domain';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../access/allow.decorator.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { AnswersStream, Refuses, Summary } from '../http/answers.js';
import { Param, Query } from '../http/request-parts.js';
import { beginning, lastSeen } from './beginning.js';
import { FollowRunQuery } from './dto/follow-run.query.js';
import { frameOf, taleFrames } from './event-frame.js';
import { EventStreams, type Frames } from './event-streams.js';

@ApiTags('runs')
@Controller('v1/runs/:run_id/events')
export class RunEventsController {
  constructor(
    private readonly runLog: RunLog,
    private readonly executionLog: ExecutionLog,
    private readonly live: LiveService,
    private readonly streams: EventStreams,
  ) {}

  @Summary('Streams what happened to a run and what happens, as server-sent events.')
  @Get()
  @Allow('runs:read')
  @AnswersStream({
    description:
      'The events, each once and in order: those there are, then each as it is committed. Ends behind the last event of a run that has ended.',
    nothing: 'The run has ended, and there is nothing behind the last event that was seen.',
    lastEventId: { pattern: String.raw`^\d{1,15}$` },
  })
  @Refuses('too_many_streams')
  async follow(
    @Req() request: AuthenticatedRequest,
    @Param('run_id') runId: string,
    @Query() query: FollowRunQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const end = await this.runLog.endOf(request.user, runId);
    const after = beginning(end, lastSeen(request.headers['last-event-id']) ?? query.after);
    if (isTerminal(end.status) && after === end.last_event_seq) return void reply.status(204).send();
    if (query.format === 'execution') {
      return this.streams.send(request, reply, 'runs:read', (stopping) =>
        framesOfTales(this.executionLog.follow(request.user, runId, after, stopping)),
      );
    }
    await this.streams.send(
      request,
      reply,
      'runs:read',
      (stopping) => framesOf(runId, this.runLog.follow(request.user, runId, after, stopping)),
      (listener) => this.live.follow(request.user, runId, listener),
    );
  }
}

async function* framesOf(runId: string, events: AsyncIterable<readonly RunEventRow[]>): Frames {
  for await (const some of events) yield some.map((event) => frameOf(event.seq, runId, event)).join('');
}

async function* framesOfTales(tales: AsyncIterable<ExecutionTale>): Frames {
  for await (const tale of tales) yield taleFrames(tale);
}
