import { RunLog, type RunEventRow } from '@agentflow/core';
import { DomainError, isTerminal } from '@agentflow/domain';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../access/allow.decorator.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { AnswersStream, Refuses, Summary } from '../http/answers.js';
import { Param, Query } from '../http/request-parts.js';
import { FollowRunQuery } from './dto/follow-run.query.js';
import { frameOf } from './event-frame.js';
import { EventStreams, type Frames } from './event-streams.js';

@ApiTags('runs')
@Controller('v1/runs/:run_id/events')
export class RunEventsController {
  constructor(
    private readonly runLog: RunLog,
    private readonly streams: EventStreams,
  ) {}

  @Summary('Streams what happened to a run and what happens, as server-sent events.')
  @Get()
  @Allow('runs:read')
  @AnswersStream(
    'The events, each once and in order: those there are, then each as it is committed. Ends behind the last event of a run that has ended.',
    'The run has ended, and there is nothing behind the last event that was seen.',
  )
  @Refuses('too_many_streams')
  async follow(
    @Req() request: AuthenticatedRequest,
    @Param('run_id') runId: string,
    @Query() query: FollowRunQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const end = await this.runLog.endOf(request.user, runId);
    const after = lastSeen(request.headers['last-event-id']) ?? query.after ?? 0;
    if (after > end.last_event_seq) throw notInLog(end.last_event_seq);
    if (isTerminal(end.status) && after === end.last_event_seq) return void reply.status(204).send();
    await this.streams.send(request, reply, 'runs:read', (stopping) =>
      framesOf(this.runLog.follow(request.user, runId, after, stopping)),
    );
  }
}

async function* framesOf(events: AsyncIterable<readonly RunEventRow[]>): Frames {
  for await (const some of events) yield some.map(frameOf).join('');
}

/** The id that a client got last; whoever comes again says it, and it outdoes where he began. */
function lastSeen(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw badId('Last-Event-ID has to be the id of an event of this run.');
}

function notInLog(last: number): DomainError {
  return badId(
    `The log of this run reaches to event ${last}. Leave the id out to read it from the beginning.`,
  );
}

function badId(detail: string): DomainError {
  return new DomainError('invalid_request', { faults: [{ pointer: '?after', detail }] });
}
