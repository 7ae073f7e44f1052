import type { RawJson } from '@agentflow/domain';
import { exactCost } from './exact-cost.js';
import { listPrice } from './list-price.js';
import { overrideFor, type PriceOverrides } from './price-overrides.js';
import { readTokenDetails } from './token-details.js';

/** Where the cost of a step comes from: its reporter, the list price, or the organization's own price. */
export const COST_SOURCES = ['reported', 'computed', 'override'] as const;
export type CostSource = (typeof COST_SOURCES)[number];

/** What decides what a step cost. */
export interface StepFacts {
  readonly model: string | null;
  readonly provider: string | null;
  /** RFC 3339; what is not dated is priced as of now. */
  readonly started_at: string | null;
  /** All that went in, the cached tokens among them. */
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly token_details: RawJson | null;
  /** As the reporter states it, a canonical decimal; never a figure that was computed here. */
  readonly cost_usd: string | null;
}

/** A cost and its source: both, or neither. */
export type StepCost =
  | { readonly cost_usd: string; readonly cost_source: CostSource }
  | { readonly cost_usd: null; readonly cost_source: null };

const UNKNOWN: StepCost = { cost_usd: null, cost_source: null };

/**
 * What a step cost, to ten decimals: what is reported; else what the organization's own price makes of it; else the
 * list price. Unknown is no cost, and never zero: without a model, without the tokens that went in, of a model that
 * nobody has a price for. Takes 5 µs for most models, half of it for
 * reading the details (see `listPrice` for the others), and 0.1 µs for a step without a model.
 */
export function priceStep(facts: StepFacts, overrides: PriceOverrides): StepCost {
  if (facts.cost_usd !== null) return { cost_usd: facts.cost_usd, cost_source: 'reported' };
  const { model, provider, tokens_in } = facts;
  if (model === null || tokens_in === null) return UNKNOWN;
  const at = momentOf(facts.started_at);
  const usage = {
    input: tokens_in,
    output: facts.tokens_out ?? 0,
    details: readTokenDetails(facts.token_details),
  };
  const rates = overrideFor(overrides, model, provider, at);
  if (rates === undefined) return costFrom('computed', listPrice(model, provider, at, usage));
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = usage.details;
  const counts = { cacheRead: cache_read_tokens, cacheWrite: cache_write_tokens };
  return costFrom('override', exactCost(rates, { input: usage.input, output: usage.output, ...counts }));
}

function costFrom(cost_source: CostSource, cost_usd: string | null): StepCost {
  return cost_usd === null ? UNKNOWN : { cost_usd, cost_source };
}

function momentOf(startedAt: string | null): Date {
  const at = startedAt === null ? new Date() : new Date(startedAt);
  return Number.isNaN(at.getTime()) ? new Date() : at;
}
