import type { Actor, Slice } from '@agentflow/database';
import { parseId, parseTimestamp } from '@agentflow/domain';
import { decodeCursor, encodeCursor } from './cursor.js';
import { Integer, Text } from './field-kinds.js';

/** What every list can be asked for. */
export class PageQuery {
  @Integer({ min: 1, max: 200, optional: true, description: 'How many rows at most. Default 50.' })
  limit?: number;

  @Text({ max: 1024, optional: true, description: 'Where to go on: the `next_cursor` of the page before.' })
  cursor?: string;
}

/** The member of a page that leads to the next. */
export const NextCursor = (): PropertyDecorator =>
  Text({ max: 1024, nullable: true, description: 'The cursor of the next page; `null` on the last one.' });

/** The rows of one page, newest first unless the list says otherwise. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * What sorts a list and makes its order total, as the database wrote it. `isPosition` tells whether a sort key is one
 * that rows can have; without it, sort keys are one number from 0, such as an index.
 */
interface SortKey<Row> {
  (row: Row): readonly (string | number)[];
  isPosition?: (sortKey: readonly unknown[]) => boolean;
}

/** Lists are sorted by when a row came to be, and by its id among those of one moment. */
export const byCreation: SortKey<{ created_at: string; id: string }> = (row) => [row.created_at, row.id];
byCreation.isPosition = isMoment;

/** The same for what is not a thing that came to be, but what happened. */
export const byTime: SortKey<{ at: string; id: string }> = (row) => [row.at, row.id];
byTime.isPosition = isMoment;

function isMoment([at, id, ...rest]: readonly unknown[]): boolean {
  return parseTimestamp(at) !== undefined && parseId(id) !== undefined && rest.length === 0;
}

const isIndex = ([index, ...rest]: readonly unknown[]): boolean =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < 2 ** 31 && rest.length === 0;

const DEFAULT_LIMIT = 50;

/**
 * Reads one page. `list` names the list for the cursor; `read` gets one row more than is wanted, which tells
 * whether there is a next page without counting.
 */
export async function readPage<Row>(
  list: string,
  { scope }: Actor,
  query: PageQuery,
  sortKey: SortKey<Row>,
  read: (slice: Slice) => Promise<Row[]>,
): Promise<Page<Row>> {
  const binding = { list, scope, filters: query };
  const limit = query.limit ?? DEFAULT_LIMIT;
  const found = await read({
    limit: limit + 1,
    after: decodeCursor(binding, query.cursor, sortKey.isPosition ?? isIndex),
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const more = found.length > limit && last !== undefined;
  return { rows, nextCursor: more ? encodeCursor(binding, sortKey(last)) : null };
}
