import { EventFeed, before, behind, type EventPlace, type SettledEventRow } from '@agentflow/core';
import { DomainError, parseId } from '@agentflow/domain';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../access/allow.decorator.js';
import type { AuthenticatedRequest } from '../access/caller.js';
import { AnswersStream, Refuses, Summary } from '../http/answers.js';
import { encodeCursor, openCursor, type CursorBinding } from '../http/cursor.js';
import { Query } from '../http/request-parts.js';
import { FollowEventsQuery } from './dto/follow-events.query.js';
import { frameOf, placeFrame } from './event-frame.js';
import { EventStreams, type Frames } from './event-streams.js';

@ApiTags('runs')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeed,
    private readonly streams: EventStreams,
  ) {}

  @Summary('Streams what happens to all runs that the key sees, as server-sent events.')
  @Get()
  @Allow('runs:read')
  @AnswersStream({
    description:
      'The events of all runs, each once and in one order, as they are committed. The first frame has an id only: where the stream begins.',
    lastEventId: { maxLength: 1024 },
  })
  @Refuses('too_many_streams', 'invalid_cursor')
  async follow(
    @Req() request: AuthenticatedRequest,
    @Query() query: FollowEventsQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { user, headers } = request;
    const { now, unbegun, cluster } = await this.feed.end(user);
    // Filters may change on the way: a place is the same whatever is left out before it.
    const binding = { list: `events of ${cluster}`, scope: user.scope, filters: {} };
    const after = headers['last-event-id'] ?? query.after;
    const from = after === undefined ? now : placeIn(binding, String(after), unbegun);
    const { project_id, agent_id, type: types } = query;
    await this.streams.send(request, reply, 'runs:read', (stopping) =>
      framesOf(binding, from, this.feed.follow(user, { project_id, agent_id, types }, from, stopping)),
    );
  }
}

async function* framesOf(
  binding: CursorBinding,
  from: EventPlace,
  events: AsyncIterable<readonly SettledEventRow[]>,
): Frames {
  yield placeFrame(idOf(binding, from));
  for await (const some of events)
    yield some.map((event) => frameOf(idOf(binding, behind(event)), event.run_id, event)).join('');
}

/** A place as an id; before everything of a transaction it is the number of that alone. */
function idOf(binding: CursorBinding, { xid, runId, seq }: EventPlace): string {
  return encodeCursor(binding, seq === 0 ? [xid] : [xid, runId, seq]);
}

/** The place that an id of the stream means. An id of another scope or cluster, or of what has not happened, is refused. */
function placeIn(binding: CursorBinding, id: string, unbegun: number): EventPlace {
  const place = openCursor(binding, id, isPlace);
  const [xid, runId, seq] = (place ?? []) as [number, string?, number?];
  if (place === undefined || xid > unbegun) {
    throw new DomainError('invalid_cursor', {
      faults: [
        { pointer: '?after', detail: 'is not an id that this stream has sent to a key of this scope' },
      ],
    });
  }
  return runId === undefined || seq === undefined ? before(xid) : { xid, runId, seq };
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isPlace = ([xid, ...event]: readonly unknown[]): boolean =>
  isCount(xid) &&
  (event.length === 0 || (event.length === 2 && parseId(event[0]) !== undefined && isCount(event[1])));
