import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';

/** What something written below a run adds to its counters and totals; a figure may be negative. */
export interface RunAddition {
  run_id: string;
  events?: number;
  steps?: number;
  messages?: number;
  checkpoints?: number;
  failed_steps?: number;
  tool_calls?: number;
  failed_tool_calls?: number;
  tokens_in?: number;
  tokens_out?: number;
  /** A decimal as text, so that sums stay exact. */
  cost_usd?: string | null;
}

const addToCounters = sql<never>(
  'add-to-runs',
  `UPDATE runs SET updated_at = now(),
     last_event_seq = last_event_seq + a.events, next_step_index = next_step_index + a.steps,
     next_message_index = next_message_index + a.messages, next_checkpoint_index = next_checkpoint_index + a.checkpoints,
     failed_steps = runs.failed_steps + a.failed_steps, tool_calls = runs.tool_calls + a.tool_calls,
     failed_tool_calls = runs.failed_tool_calls + a.failed_tool_calls,
     tokens_in = runs.tokens_in + a.tokens_in, tokens_out = runs.tokens_out + a.tokens_out,
     cost_usd = runs.cost_usd + a.cost_usd
   FROM (
     SELECT run_id, coalesce(sum(events), 0) AS events, coalesce(sum(steps), 0) AS steps,
       coalesce(sum(messages), 0) AS messages, coalesce(sum(checkpoints), 0) AS checkpoints,
       coalesce(sum(failed_steps), 0) AS failed_steps, coalesce(sum(tool_calls), 0) AS tool_calls,
       coalesce(sum(failed_tool_calls), 0) AS failed_tool_calls, coalesce(sum(tokens_in), 0) AS tokens_in,
       coalesce(sum(tokens_out), 0) AS tokens_out, coalesce(sum(cost_usd), 0) AS cost_usd
     FROM json_to_recordset($2) AS i (run_id uuid, events integer, steps integer, messages integer,
       checkpoints integer, failed_steps integer, tool_calls integer, failed_tool_calls integer,
       tokens_in numeric, tokens_out numeric, cost_usd numeric)
     GROUP BY run_id
   ) a
   WHERE runs.tenant_id = $1 AND runs.id = a.run_id`,
);

/** Adds to held runs: several additions to one run are summed, exactly. */
export async function addToRuns(tx: Transaction, additions: readonly RunAddition[]): Promise<void> {
  await tx.run(addToCounters, [tx.scope.tenantId, RawJson.trusted(encodeJson(additions))]);
}
