import type { RunEventRow } from '../run-log-row.js';

/** So many events are read at once, at most. */
const MOST = 200;
/** And so many bytes of what they tell, but for the last of them. */
const MOST_BYTES = 262_144;

/**
 * The first of some entries of `run_events` in an order: at most two hundred, and of large ones about a quarter of a
 * megabyte, but one if there is one. What is large is measured without unpacking it. Nothing is counted besides, which took a
 * third of the time: `areAll` tells whether there are more.
 */
export const firstEvents = (columns: string, where: string, order: string): string =>
  `SELECT ${columns} FROM (
     SELECT ${columns}, sum(octet_length(data::text)) OVER (
       ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
     FROM (SELECT ${columns} FROM run_events WHERE ${where} ORDER BY ${order} LIMIT ${MOST}) next
   ) measured WHERE coalesce(before, 0) < ${MOST_BYTES} ORDER BY ${order}`;

/** Whether there were no more events than these when they were read. */
export function areAll(events: readonly RunEventRow[]): boolean {
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(data?.text ?? ''), 0);
  return events.length < MOST && bytes < MOST_BYTES;
}
