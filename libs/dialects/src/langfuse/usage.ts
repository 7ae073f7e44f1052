import type { StepFacts } from '@agentflow/contracts';
import { parseCost, type RawJson } from '@agentflow/domain';
import { countOf, type Members, within } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { present } from '../records/present.js';

type Path = readonly [string, string];

/** Where a generation keeps a count; the first that is there counts. */
const COUNTS = {
  input: [
    ['usageDetails', 'input'],
    ['usageDetails', 'input_tokens'],
    ['usageDetails', 'prompt_tokens'],
    ['usage', 'input'],
    ['usage', 'promptTokens'],
    ['usage', 'prompt_tokens'],
  ],
  output: [
    ['usageDetails', 'output'],
    ['usageDetails', 'output_tokens'],
    ['usageDetails', 'completion_tokens'],
    ['usage', 'output'],
    ['usage', 'completionTokens'],
    ['usage', 'completion_tokens'],
  ],
} as const satisfies Record<string, readonly Path[]>;

const COSTS = [
  ['costDetails', 'total'],
  ['usage', 'totalCost'],
] as const satisfies readonly Path[];

const DETAILS: Readonly<Record<string, readonly Path[]>> = {
  cache_read_tokens: [
    ['usageDetails', 'cache_read_input_tokens'],
    ['usageDetails', 'input_cached_tokens'],
    ['usageDetails', 'input_cache_read'],
  ],
  cache_write_tokens: [
    ['usageDetails', 'cache_creation_input_tokens'],
    ['usageDetails', 'input_cache_creation'],
  ],
  reasoning_tokens: [
    ['usageDetails', 'output_reasoning_tokens'],
    ['usageDetails', 'output_reasoning'],
  ],
};

/** What a generation says that it used; nothing where it counts anything else than tokens. */
export function usageFacts(
  members: Members,
): Pick<StepFacts<RawJson>, 'tokens_in' | 'tokens_out' | 'token_details' | 'cost_usd'> {
  const details = Object.entries(DETAILS)
    .map(([name, paths]) => [name, countIn(members, paths)] as const)
    .filter(([, count]) => (count ?? 0) > 0);
  const cost = COSTS.map((path) => at(members, path)).find((value) => value !== undefined);
  const costUsd = { ...present('cost_usd', cost && parseCost(cost.text)) };
  const unit = within(members.get('usage'), 'unit')?.text ?? '"TOKENS"';
  if (unit !== '"TOKENS"') return costUsd;
  return {
    ...present('tokens_in', countIn(members, COUNTS.input)),
    ...present('tokens_out', countIn(members, COUNTS.output)),
    ...present('token_details', details.length > 0 ? written(Object.fromEntries(details)) : undefined),
    ...costUsd,
  };
}

function countIn(members: Members, paths: readonly Path[]): number | undefined {
  return paths.map((path) => countOf(at(members, path))).find((count) => count !== undefined);
}

function at(members: Members, [holder, name]: Path): RawJson | undefined {
  return within(members.get(holder), name);
}
