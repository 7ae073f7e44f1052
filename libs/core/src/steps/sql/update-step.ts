import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { StepRow } from '../step-row.js';
import { STEP_COLUMNS } from './step-columns.js';

/** What changes of a step, in full: a member that stays has its stored value. */
export type StepUpdate = Pick<
  StepRow,
  | 'run_id'
  | 'id'
  | 'status'
  | 'output'
  | 'error'
  | 'error_type'
  | 'latency_ms'
  | 'tokens_in'
  | 'tokens_out'
  | 'token_details'
  | 'cost_usd'
  | 'cost_source'
  | 'model'
  | 'provider'
  | 'retry_count'
  | 'metadata'
  | 'started_at'
  | 'ended_at'
>;

const updateStep = sql<StepRow>(
  'update-step',
  `WITH s AS (
     SELECT * FROM json_to_record($2) AS s (status text, output json, error text,
       error_type text, latency_ms bigint, tokens_in bigint, tokens_out bigint, token_details jsonb, cost_usd numeric,
       cost_source text, model text, provider text, retry_count integer, metadata jsonb, started_at timestamptz,
       ended_at timestamptz)
   ), updated AS (
     UPDATE steps SET status = s.status, output = s.output, error = s.error, error_type = s.error_type,
       latency_ms = s.latency_ms, tokens_in = s.tokens_in, tokens_out = s.tokens_out, token_details = s.token_details,
       cost_usd = s.cost_usd, cost_source = s.cost_source, model = s.model, provider = s.provider,
       retry_count = s.retry_count,
       metadata = s.metadata, started_at = s.started_at, ended_at = s.ended_at, updated_at = now()
     FROM s WHERE steps.tenant_id = $1 AND steps.run_id = $3 AND steps.id = $4
     RETURNING steps.*
   )
   SELECT ${STEP_COLUMNS} FROM updated`,
);

/** Overwrites what may change of a step whose run is held. Decided before: the statement itself refuses nothing. */
export async function overwriteStep(tx: Transaction, step: StepUpdate): Promise<StepRow> {
  const record = RawJson.trusted(encodeJson(step));
  return (await tx.row(updateStep, [tx.scope.tenantId, record, step.run_id, step.id])) as StepRow;
}
