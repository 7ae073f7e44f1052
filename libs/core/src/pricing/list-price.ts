import { calcPrice, type ModelPrice, type Provider, type TieredPrices } from '@pydantic/genai-prices';
import { parseCost } from '@agentflow/domain';
import { exactCost, unitsOf, type Rates } from './exact-cost.js';
import type { TokenDetails } from './token-details.js';

/** Tokens of one call of a model. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly details: TokenDetails;
}

/** A model of the bundled table. */
interface Listed {
  /** Its provider with this model only, which the library then need not look for. */
  readonly provider: Provider;
  /** The prices from a number of tokens that go in, ascending; nothing when they also depend on something else. */
  readonly tiers: readonly Tier[] | undefined;
  /** Kinds of tokens that have a price of their own, beyond those in `tiers`. */
  readonly kinds: ReadonlySet<string>;
}

interface Tier {
  /** For calls into which more tokens than this go. */
  readonly above: number;
  readonly rates: Rates;
}

const MAX_KNOWN = 2_000;
const known = new Map<string, Listed | null>();

/**
 * What the provider's list price makes of a call at that moment, from the table that `@pydantic/genai-prices` carries;
 * nothing is fetched, ever. Nothing for a model or a provider that the table does not know, for one that it has no
 * price of (an empty entry may be free, and may be unknown), and for counts that contradict each other.
 *
 * Most models cost the same at any time, and are reckoned exactly: 1 to 3 µs a call. What changes with a date or the
 * time of day, audio and the like are left to the library: 30 to 90 µs. Looking a model up takes 40 µs, once.
 */
export function listPrice(model: string, provider: string | null, at: Date, usage: Usage): string | null {
  const listed = lookUp(model, provider);
  if (listed === null) return null;
  const { tiers, kinds } = listed;
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = usage.details;
  const rates = tiers?.findLast(({ above }) => usage.input > above)?.rates;
  if (rates === undefined || Object.keys(usage.details).some((detail) => kinds.has(detail))) {
    return libraryPrice(model, listed.provider, at, usage);
  }
  const counts = { cacheRead: cache_read_tokens, cacheWrite: cache_write_tokens };
  return exactCost(rates, { input: usage.input, output: usage.output, ...counts });
}

function lookUp(model: string, provider: string | null): Listed | null {
  const name = `${provider ?? ''}\n${model}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const listed = find(model, provider);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, listed);
  return listed;
}

function find(model: string, providerId: string | null): Listed | null {
  const found = calcPrice({}, model, providerId === null ? {} : { providerId });
  if (!found) return null;
  const provider = { ...found.provider, models: [{ ...found.model, match: { starts_with: '' } }] };
  const isConstant = !Array.isArray(found.model.prices);
  return {
    provider,
    tiers: isConstant ? tiersOf(found.model_price) : undefined,
    kinds: new Set(Object.entries(DETAIL_PRICES).flatMap(([d, p]) => (p in found.model_price ? [d] : []))),
  };
}

/** The prices of finer counts, and what the library calls these counts. */
const DETAIL_PRICES = {
  reasoning_tokens: 'output_reasoning_mtok',
  input_audio_tokens: 'input_audio_mtok',
  output_audio_tokens: 'output_audio_mtok',
  input_image_tokens: 'input_image_mtok',
  output_image_tokens: 'output_image_mtok',
};

/** The prices that tokens have by themselves; a fee for each request is none of them. */
function tiersOf(prices: ModelPrice): Tier[] | undefined {
  if ('requests_kcount' in prices) return undefined;
  const own = [prices.input_mtok, prices.output_mtok, prices.cache_read_mtok, prices.cache_write_mtok];
  const starts = own.flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  );
  const tiers: Tier[] = [];
  for (const above of [-1, ...new Set(starts)].sort((a, b) => a - b)) {
    const units = own.map((price) => (price === undefined ? null : priceAbove(price, above)));
    if (units.includes(undefined)) return undefined;
    const [input = null, output = null, cacheRead = null, cacheWrite = null] = units;
    tiers.push({ above, rates: { input, output, cacheRead, cacheWrite } });
  }
  return tiers;
}

/** A price for calls into which more tokens go; nothing when it has more decimals than we reckon with. */
function priceAbove(price: number | TieredPrices, tokens: number): bigint | undefined {
  const reached = typeof price === 'number' ? [] : price.tiers.filter(({ start }) => start <= tokens);
  const [highest] = reached.sort((a, b) => b.start - a.start);
  const text = parseCost(typeof price === 'number' ? price : (highest?.price ?? price.base));
  return text === undefined ? undefined : unitsOf(text);
}

/** The library reckons in doubles: good for ten decimals of what any call costs. */
function libraryPrice(model: string, provider: Provider, at: Date, usage: Usage): string | null {
  const { reasoning_tokens, ...details } = usage.details;
  const counts = {
    ...details,
    ...(reasoning_tokens === undefined ? {} : { output_reasoning_tokens: reasoning_tokens }),
    input_tokens: usage.input,
    output_tokens: usage.output,
  };
  try {
    const price = calcPrice(counts, model, { provider, timestamp: at });
    if (!price || !isPriced(price.model_price, usage)) return null;
    return parseCost(price.total_price.toFixed(10)) ?? null;
  } catch {
    return null; // counts that contradict each other
  }
}

function isPriced(prices: ModelPrice, { input, output }: Usage): boolean {
  return (input === 0 || 'input_mtok' in prices) && (output === 0 || 'output_mtok' in prices);
}
