import { gathered, sql } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { rowOfEach } from '../../reporting/row-of-each.js';
import type { StepRow } from '../step-row.js';
import { STEP_COLUMNS } from './step-columns.js';

/** A step to be written, its index counted on from the held run. */
export type StepDraft = Omit<StepRow, 'tokens_below' | 'cost_below' | 'created_at' | 'updated_at'>;

const insertSteps = sql<StepRow>(
  'insert-steps',
  `INSERT INTO steps (tenant_id, run_id, id, index, node, kind, status, parent_step_id, input, output, error, error_type,
     latency_ms, tokens_in, tokens_out, token_details, cost_usd, cost_source, model, provider, agent_role, tier,
     retry_count, metadata, started_at, ended_at, external_id)
   SELECT $1, run_id, id, index, node, kind, status, parent_step_id, input, output, error, error_type,
     latency_ms, tokens_in, tokens_out, token_details, cost_usd, cost_source, model, provider, agent_role, tier,
     retry_count, metadata, started_at, ended_at, external_id
   FROM json_to_recordset($2) AS s (run_id uuid, id uuid, index integer, node text, kind text, status text,
     parent_step_id uuid, input json, output json, error text, error_type text, latency_ms bigint, tokens_in bigint,
     tokens_out bigint, token_details jsonb, cost_usd numeric, cost_source text, model text, provider text, agent_role text,
     tier text, retry_count integer, metadata jsonb, started_at timestamptz, ended_at timestamptz, external_id text)
   RETURNING ${STEP_COLUMNS}`,
);

/**
 * Writes a step of a held run. Payloads travel inside the one parameter as the text that they are. An id that another
 * transaction wrote meanwhile violates `pk_steps`, which repeats the transaction: it then finds the step.
 */
export const writeStep = gathered<StepDraft, StepRow>({
  writes: true,
  carryOut: async (tx, steps) => {
    const rows = await tx.rows(insertSteps, [tx.scope.tenantId, RawJson.trusted(encodeJson(steps))]);
    return rowOfEach(steps, rows) as StepRow[];
  },
});
