import type { StepFacts } from '@agentflow/contracts';
import { RawJson } from '@agentflow/domain';
import { objectOf } from './payload-of.js';
import type { Usage } from './usage.js';

/** Adds usage, in the words of an item. */
export function addUsage(item: StepFacts<RawJson>, { tokensIn, tokensOut, details, costUsd }: Usage): void {
  item.tokens_in = tokensIn;
  item.tokens_out = tokensOut;
  item.cost_usd = costUsd;
  const counts = objectOf(Object.entries(details).map(([name, count]) => [name, String(count)]));
  if (counts !== '{}') item.token_details = RawJson.trusted(counts);
}
