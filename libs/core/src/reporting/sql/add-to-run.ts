import { gathered, sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { nextXid } from './event-xid.js';
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

/** What `sumOf` gives, as the columns of a record. */
export const SUM_COLUMNS = `events bigint, steps integer, messages integer, checkpoints integer, failed_steps integer,
  tool_calls integer, failed_tool_calls integer, tokens_in numeric, tokens_out numeric, costs numeric[]`;

/** The sum of the costs of a record, exact. */
export const COST_OF_GIVEN = '(SELECT coalesce(sum(cost), 0) FROM unnest(given.costs) AS cost)';

/** What an update sets to add the sums of a record to its run. */
export const ADDS_GIVEN = `updated_at = now(), last_event_seq = runs.last_event_seq + given.events,
  last_event_xid = ${nextXid('runs.last_event_xid')},
  next_step_index = runs.next_step_index + given.steps,
  next_message_index = runs.next_message_index + given.messages,
  next_checkpoint_index = runs.next_checkpoint_index + given.checkpoints,
  failed_steps = runs.failed_steps + given.failed_steps, tool_calls = runs.tool_calls + given.tool_calls,
  failed_tool_calls = runs.failed_tool_calls + given.failed_tool_calls,
  tokens_in = runs.tokens_in + given.tokens_in, tokens_out = runs.tokens_out + given.tokens_out,
  cost_usd = runs.cost_usd + ${COST_OF_GIVEN}`;

const addToCounters = sql<never>(
  'add-to-runs',
  `UPDATE runs SET ${ADDS_GIVEN}
   FROM ${heldRuns(SUM_COLUMNS)} WHERE tenant_id = $1 AND runs.ctid = given.place`,
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

/** Several additions as one record. */
export function sumOf(additions: readonly RunAddition[]): object {
  const sum = (figure: (typeof FIGURES)[number]): number | bigint => {
    let total = 0;
    let isExact = true;
    for (const addition of additions)
      isExact = Number.isSafeInteger((total += addition[figure] ?? 0)) && isExact;
    return isExact ? total : exactSum(additions, figure);
  };
  return {
    ...Object.fromEntries(FIGURES.map((figure) => [figure, sum(figure)])),
    costs: additions.flatMap(({ cost_usd }) => cost_usd ?? []),
  };
}

/** For sums that a double does not hold, such as those of many steps' tokens. */
function exactSum(additions: readonly RunAddition[], figure: (typeof FIGURES)[number]): bigint {
  return additions.reduce((total, addition) => total + BigInt(addition[figure] ?? 0), 0n);
}
