import { gathered, sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { heldRuns } from './held-runs.js';

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
  'add-to-runs',
  `UPDATE runs SET updated_at = now(), last_event_seq = last_event_seq + given.events,
     next_step_index = next_step_index + given.steps, next_message_index = next_message_index + given.messages,
     next_checkpoint_index = next_checkpoint_index + given.checkpoints,
     failed_steps = runs.failed_steps + given.failed_steps, tool_calls = runs.tool_calls + given.tool_calls,
     failed_tool_calls = runs.failed_tool_calls + given.failed_tool_calls,
     tokens_in = runs.tokens_in + given.tokens_in, tokens_out = runs.tokens_out + given.tokens_out,
     cost_usd = runs.cost_usd + (SELECT coalesce(sum(cost), 0) FROM unnest(given.costs) AS cost)
   FROM ${heldRuns(`events bigint, steps integer, messages integer, checkpoints integer, failed_steps integer,
     tool_calls integer, failed_tool_calls integer, tokens_in numeric, tokens_out numeric, costs numeric[]`)}
   WHERE tenant_id = $1 AND runs.ctid = given.place`,
);

/** Adds to a held run; several additions are summed, exactly. */
export const addToRun = (tx: Transaction, runId: string, ...additions: RunAddition[]): Promise<true> =>
  addToRuns(tx, { runId, additions });

const addToRuns = gathered<{ runId: string; additions: readonly RunAddition[] }, true>({
  writes: true,
  carryOut: async (tx, items) => {
    // An update writes a row once, whatever number of items name it.
    const byRun = new Map<string, RunAddition[]>();
    for (const { runId, additions } of items) byRun.set(runId, [...(byRun.get(runId) ?? []), ...additions]);
    await addToEachRun(tx, byRun);
    return items.map(() => true as const);
  },
});

/** The same for several held runs at once, by id. */
export async function addToEachRun(
  tx: Transaction,
  additions: ReadonlyMap<string, readonly RunAddition[]>,
): Promise<void> {
  const records = [...additions].map(([run_id, ofRun]) => ({ run_id, ...sumOf(ofRun) }));
  if (records.length > 0)
    await tx.run(addToCounters, [tx.scope.tenantId, RawJson.trusted(encodeJson(records))]);
}

function sumOf(additions: readonly RunAddition[]): object {
  const sum = (figure: (typeof FIGURES)[number]): number =>
    additions.reduce((total, addition) => total + (addition[figure] ?? 0), 0);
  return {
    ...Object.fromEntries(FIGURES.map((figure) => [figure, sum(figure)])),
    costs: additions.flatMap(({ cost_usd }) => cost_usd ?? []),
  };
}
