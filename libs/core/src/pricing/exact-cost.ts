import { parseCost } from '@agentflow/domain';

/** US dollars per million tokens, in units of 10⁻¹⁰ dollars; `null` where the kind of token has no price of its own. */
export interface Rates {
  readonly input: bigint | null;
  readonly output: bigint | null;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
}

/** What a call used. All that went in includes what came from, and went to, a cache. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const DECIMALS = 10;
const TOKENS_PER_PRICE = 1_000_000n;

/** A canonical decimal, or one that a numeric column padded to ten places, in units of 10⁻¹⁰. */
export function unitsOf(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/**
 * What the call costs, exact and rounded half up to ten decimals once, at the end. Cached tokens without a price of
 * their own cost what others do. Nothing when tokens were used that have no price, when more was cached than went in,
 * or when the figure does not fit.
 */
export function exactCost(rates: Rates, { input, output, cacheRead, cacheWrite }: Counts): string | null {
  const rest = input - cacheRead - cacheWrite;
  if (rest < 0 || (input > 0 && rates.input === null) || (output > 0 && rates.output === null)) return null;
  const plain = rates.input ?? 0n;
  const total =
    BigInt(rest) * plain +
    BigInt(cacheRead) * (rates.cacheRead ?? plain) +
    BigInt(cacheWrite) * (rates.cacheWrite ?? plain) +
    BigInt(output) * (rates.output ?? 0n);
  return decimalOf((total + TOKENS_PER_PRICE / 2n) / TOKENS_PER_PRICE);
}

function decimalOf(units: bigint): string | null {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  return parseCost(`${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`) ?? null;
}
