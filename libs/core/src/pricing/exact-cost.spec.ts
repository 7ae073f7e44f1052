import { exactCost, unitsOf, type Rates } from './exact-cost.js';

const rates = (input: string | null, output: string | null, read?: string, write?: string): Rates => ({
  input: input === null ? null : unitsOf(input),
  output: output === null ? null : unitsOf(output),
  cacheRead: read === undefined ? null : unitsOf(read),
  cacheWrite: write === undefined ? null : unitsOf(write),
});
const counts = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({
  ...{ input, output, cacheRead, cacheWrite },
});

describe('exactCost', () => {
  it('takes cached tokens out of those that went in, and prices each kind by itself', () => {
    // 700 at 3, 200 from the cache at 0.3, 100 into it at 3.75, 50 out at 15: 2100 + 60 + 375 + 750 millionths.
    expect(exactCost(rates('3', '15', '0.3', '3.75'), counts(1_000, 50, 200, 100))).toBe('0.003285');
  });

  it('prices cached tokens as the others when they have no price of their own', () => {
    expect(exactCost(rates('3', '15'), counts(1_000, 0, 200, 100))).toBe('0.003');
  });

  it('is exact where doubles are not, and rounds once, half up', () => {
    expect(exactCost(rates('0.1', '0.2'), counts(1, 1))).toBe('0.0000003');
    expect(exactCost(rates('0.00005', '0'), counts(1, 0))).toBe('0.0000000001');
    expect(exactCost(rates('0.00004', '0'), counts(1, 0))).toBe('0');
    expect(exactCost(rates('0.0000000001', '0'), counts(2 ** 53 - 1, 0))).toBe('0.9007199255');
  });

  it('has no figure for tokens without a price, for more cached tokens than all, and for what does not fit', () => {
    expect(exactCost(rates(null, '1'), counts(1, 1))).toBeNull();
    expect(exactCost(rates('1', null), counts(1, 1))).toBeNull();
    expect(exactCost(rates('1', null), counts(1, 0))).toBe('0.000001');
    expect(exactCost(rates('1', '1'), counts(10, 0, 8, 3))).toBeNull();
    expect(exactCost(rates('9999999999', '0'), counts(2 ** 53 - 1, 0))).toBeNull();
  });
});
