/** So many events are read at once, at most. */
const MOST = 200;

/**
 * The first of some entries of `run_events` in an order: at most two hundred, and of large ones about a quarter of a
 * megabyte, but one if there is one. `is_last` tells that there were no more.
 */
export const firstEvents = (where: string, order: string): string =>
  `SELECT run_id, seq, xid, type, entity_id, data, at, found < ${MOST} AND number = found AS is_last FROM (
     SELECT next.*, row_number() OVER (ORDER BY ${order}) AS number, count(*) OVER () AS found,
       sum(length(data::text)) OVER (ORDER BY ${order}) - length(data::text) AS before FROM (
       SELECT * FROM run_events WHERE ${where} ORDER BY ${order} LIMIT ${MOST}) next
   ) numbered WHERE coalesce(before, 0) < 262144 ORDER BY ${order}`;
