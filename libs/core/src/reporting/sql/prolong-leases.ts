import { gathered, scopeColumns, sql } from '@agentflow/database';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';

interface Prolonged {
  id: string;
  lease_expires_at: string;
}

/** The status is asked in a form that no index can serve: the row is known, and an index on the status leads through all of it. */
const prolongLeases = sql<Prolonged>(
  'prolong-leases',
  `UPDATE runs SET lease_expires_at = now() + make_interval(secs => runs.lease_seconds)
   FROM (
     SELECT claim.token, held.place FROM unnest($4::uuid[], $5::uuid[]) AS claim (run_id, token)
     CROSS JOIN LATERAL (
       SELECT ctid AS place FROM runs WHERE ${VISIBLE_RUN} AND id = claim.run_id LIMIT 1) AS held
   ) AS given
   WHERE runs.tenant_id = $1 AND runs.ctid = given.place AND runs.lease_token = given.token
     AND CASE runs.status WHEN 'waiting_human' THEN true WHEN 'running' THEN runs.lease_expires_at > now() END
   RETURNING runs.id, runs.lease_expires_at`,
);

/**
 * Prolongs the lease of a held run for whoever has its token, by the seconds that it was given for, from this moment of
 * the database's clock; answers when it ends then. Nothing when the token is another's, when the run is not under way,
 * and when the lease has run out: a run that waits for a person keeps its lease for as long as it waits.
 */
export const prolongLease = gathered<{ runId: string; token: string }, string | undefined>({
  writes: true,
  carryOut: async (tx, claims) => {
    const rows = await tx.rows(prolongLeases, [
      ...scopeColumns(tx.scope),
      claims.map(({ runId }) => runId),
      claims.map(({ token }) => token),
    ]);
    return claims.map(({ runId }) => rows.find(({ id }) => id === runId)?.lease_expires_at);
  },
});
