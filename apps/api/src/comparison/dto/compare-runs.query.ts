import { Integer, Text } from '../../http/field-kinds.js';

/** Pages are smaller than those of lists: each step is looked into on both sides. */
export class CompareRunsQuery {
  @Integer({ min: 1, max: 50, optional: true, description: 'How many steps at most. Default 50.' })
  limit?: number;

  @Text({ max: 1024, optional: true, description: 'Where to go on: the `next_cursor` of the page before.' })
  cursor?: string;
}
