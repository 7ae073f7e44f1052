import type { RunSubject } from '@agentflow/contracts';
import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { StepRow } from '../../steps/step-row.js';

/** What a step is told with, and its place among those that were asked for. */
export type ToldStep = Pick<
  StepRow,
  | 'id'
  | 'latency_ms'
  | 'model'
  | 'tokens_in'
  | 'tokens_out'
  | 'tier'
  | 'input'
  | 'output'
  | 'error'
  | 'error_type'
> & { place: number };

const runSubject = sql<RunSubject>(
  'find-run-subject',
  `SELECT a.name AS workflow_name, r.error, r.error_type FROM runs r
   JOIN agents a ON a.tenant_id = r.tenant_id AND a.id = r.agent_id
   WHERE r.tenant_id = $1 AND ($2::uuid IS NULL OR r.project_id = $2) AND ($3::uuid IS NULL OR r.agent_id = $3)
     AND r.id = $4`,
);

/**
 * Large payloads are measured twice: as they are kept, which costs nothing to know, and, of the few that are left, as they
 * are. Measuring all of two hundred unpacks gigabytes at worst.
 */
const toldSteps = sql<ToldStep>(
  'find-told-steps',
  `SELECT id, latency_ms, model, tokens_in, tokens_out, tier, input, output, error, error_type, place::int FROM (
     SELECT few.*, sum(coalesce(length(input::text), 0) + coalesce(length(output::text), 0)) OVER (ORDER BY place)
       - coalesce(length(input::text), 0) - coalesce(length(output::text), 0) AS before
     FROM (
       SELECT all_of.*, sum(kept) OVER (ORDER BY place) - kept AS kept_before FROM (
         SELECT s.id, s.latency_ms, s.model, s.tokens_in, s.tokens_out, s.tier, s.input,
           CASE WHEN wanted.has_ended THEN s.output END AS output, s.error, s.error_type, wanted.place,
           coalesce(pg_column_size(s.input), 0)
             + CASE WHEN wanted.has_ended THEN coalesce(pg_column_size(s.output), 0) ELSE 0 END AS kept
         FROM unnest($3::uuid[], $4::boolean[]) WITH ORDINALITY AS wanted (id, has_ended, place)
         JOIN steps s ON s.tenant_id = $1 AND s.run_id = $2 AND s.id = wanted.id
       ) all_of
     ) few WHERE kept_before < 262144
   ) measured WHERE before < 262144 ORDER BY place`,
);

/** What a run is told with; nothing when it is out of sight. */
export async function findRunSubject(tx: Transaction, runId: string): Promise<RunSubject | undefined> {
  return tx.row(runSubject, [...scopeColumns(tx.scope), runId]);
}

/**
 * What steps of a run are told with, in the order in which they are asked for, each with its place from 1: those there
 * are, up to about a quarter of a megabyte and at least one. Outputs only of those that have ended. The run has to be one
 * that the caller sees.
 */
export async function findToldSteps(
  tx: Transaction,
  runId: string,
  steps: readonly { id: string; hasEnded: boolean }[],
): Promise<ToldStep[]> {
  if (steps.length === 0) return [];
  const ids = steps.map(({ id }) => id);
  return tx.rows(toldSteps, [tx.scope.tenantId, runId, ids, steps.map(({ hasEnded }) => String(hasEnded))]);
}
