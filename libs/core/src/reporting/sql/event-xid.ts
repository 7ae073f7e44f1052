const OWN = '(SELECT pg_current_xact_id()::text::bigint)';

/** Transactions that are under way side by side are numbered closer to each other than this. */
const FARTHEST = 100_000;

/**
 * The place of a run's next event among the events of all runs, in SQL, from that of its last: the number of this
 * transaction, or the last one's where that is greater. A transaction may be numbered first and wait for the run while
 * a later one appends to it; so the events of a run stand in the order of their numbers all the same. A number far ahead is
 * of another cluster, whose rows were restored here.
 */
export const nextXid = (last: string): string =>
  `CASE WHEN ${last} < ${OWN} + ${FARTHEST} THEN greatest(${last}, ${OWN}) ELSE ${OWN} END`;
