import { RawJson } from '@agentflow/domain';
import type { StepFacts } from '@agentflow/contracts';
import { metadataOf } from './payload-of.js';
import type { Usage } from './usage.js';

/** Usage in the words of an item. */
export function usageFactsOf(usage: Usage | undefined): StepFacts<RawJson> {
  if (usage === undefined) return {};
  const details = metadataOf(Object.entries(usage.details).map(([name, count]) => [name, String(count)]));
  return {
    ...(usage.tokensIn === undefined ? {} : { tokens_in: usage.tokensIn }),
    ...(usage.tokensOut === undefined ? {} : { tokens_out: usage.tokensOut }),
    ...(details === undefined ? {} : { token_details: details }),
    ...(usage.costUsd === undefined ? {} : { cost_usd: usage.costUsd }),
  };
}
