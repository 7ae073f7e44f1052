import { Choice } from './field-kinds.js';
import { PageQuery } from './page.js';

/** A page of what belongs to a run, in the order in which it came, or backwards. */
export class OrderedPageQuery extends PageQuery {
  @Choice({
    of: ['asc', 'desc'],
    optional: true,
    description: 'By index, rising (`asc`, the default) or falling.',
  })
  order?: 'asc' | 'desc';
}

/** What is sorted by its index within a run. */
export const byIndex = (row: { index: number }): [number] => [row.index];
