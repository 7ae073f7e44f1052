import { unitsOf, type Rates } from './exact-cost.js';

/** A tenant's own price of a model, as it is stored: US dollars per million tokens. */
export interface ModelPriceRow {
  id: string;
  provider: string | null;
  model: string;
  input: string;
  output: string;
  cache_read: string | null;
  cache_write: string | null;
  valid_from: string | null;
  created_at: string;
}

interface Override {
  readonly provider: string | null;
  /** Milliseconds since 1970; a price without a beginning was valid always. */
  readonly validFrom: number;
  readonly rates: Rates;
}

/** A tenant's own prices by model, those of a provider before those of any, the latest first. */
export type PriceOverrides = ReadonlyMap<string, readonly Override[]>;

export const NO_OVERRIDES: PriceOverrides = new Map();

/** Brings stored prices into the form in which one is found without a search. */
export function overridesFrom(rows: readonly ModelPriceRow[]): PriceOverrides {
  const overrides = new Map<string, Override[]>();
  for (const row of rows) {
    const ofModel = overrides.get(row.model) ?? [];
    ofModel.push(overrideFrom(row));
    overrides.set(row.model, ofModel);
  }
  for (const ofModel of overrides.values()) ofModel.sort(byPrecedence);
  return overrides;
}

/** The price that is meant for a model of a provider at a moment: names are compared as they are written. */
export function overrideFor(
  overrides: PriceOverrides,
  model: string,
  provider: string | null,
  at: Date,
): Rates | undefined {
  return overrides
    .get(model)
    ?.find((own) => (own.provider === null || own.provider === provider) && own.validFrom <= at.getTime())
    ?.rates;
}

function overrideFrom(row: ModelPriceRow): Override {
  return {
    provider: row.provider,
    validFrom: row.valid_from === null ? -Infinity : Date.parse(row.valid_from),
    rates: {
      input: unitsOf(row.input),
      output: unitsOf(row.output),
      cacheRead: row.cache_read === null ? null : unitsOf(row.cache_read),
      cacheWrite: row.cache_write === null ? null : unitsOf(row.cache_write),
    },
  };
}

function byPrecedence(a: Override, b: Override): number {
  if ((a.provider === null) !== (b.provider === null)) return a.provider === null ? 1 : -1;
  return a.validFrom === b.validFrom ? 0 : b.validFrom - a.validFrom;
}
