import { sql, type Transaction } from '@agentflow/database';

/** What something written below a run adds to its counters and totals; a figure may be negative. */
export interface RunAddition {
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

const FIGURES = [
  'events',
  'steps',
  'messages',
  'checkpoints',
  'failed_steps',
  'tool_calls',
  'failed_tool_calls',
  'tokens_in',
  'tokens_out',
] as const satisfies (keyof RunAddition)[];

const addToCounters = sql<never>(
  'add-to-run',
  `UPDATE runs SET updated_at = now(), last_event_seq = last_event_seq + $3, next_step_index = next_step_index + $4,
     next_message_index = next_message_index + $5, next_checkpoint_index = next_checkpoint_index + $6,
     failed_steps = failed_steps + $7, tool_calls = tool_calls + $8, failed_tool_calls = failed_tool_calls + $9,
     tokens_in = tokens_in + $10, tokens_out = tokens_out + $11,
     cost_usd = cost_usd + (SELECT coalesce(sum(cost), 0) FROM unnest($12::numeric[]) AS cost)
   WHERE tenant_id = $1 AND id = $2`,
);

/** Adds to a held run; several additions are summed, exactly. */
export async function addToRun(
  tx: Transaction,
  runId: string,
  ...additions: readonly RunAddition[]
): Promise<void> {
  const sums = FIGURES.map((figure) => additions.reduce((sum, addition) => sum + (addition[figure] ?? 0), 0));
  const costs = additions.flatMap(({ cost_usd }) => cost_usd ?? []);
  await tx.run(addToCounters, [tx.scope.tenantId, runId, ...sums, costs]);
}
