import { Choice, Integer } from '../../http/field-kinds.js';

export const FORMATS = ['log', 'execution'] as const;

export class FollowRunQuery {
  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Begin behind this event. The header `Last-Event-ID` outdoes it.',
  })
  after?: number;

  @Choice({
    of: FORMATS,
    optional: true,
    description: 'How events are told: `log`, the default, or `execution`, an older format.',
  })
  format?: (typeof FORMATS)[number];
}

export class FollowExecutionQuery {
  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Begin behind this event: the `seq` of the last one that came.',
  })
  after?: number;
}
