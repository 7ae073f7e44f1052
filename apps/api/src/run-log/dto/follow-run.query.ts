import { Integer } from '../../http/field-kinds.js';

export class FollowRunQuery {
  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Begin behind this event. The header `Last-Event-ID` outdoes it.',
  })
  after?: number;
}
