import { RawJson } from '@agentflow/domain';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { NO_OVERRIDES, overridesFrom, type ModelPriceRow } from './price-overrides.js';
import { priceStep, type StepFacts } from './price-step.js';

const FACTS: StepFacts = {
  model: 'gpt-4o',
  provider: 'openai',
  started_at: '2026-06-01T12:00:00.000000Z',
  tokens_in: 1_000,
  tokens_out: 100,
  token_details: null,
  cost_usd: null,
};
const START = new Date('2026-06-01T12:00:00Z');
const CACHED = { cache_read_tokens: 1_009, cache_write_tokens: 53 };
const UNKNOWN = { cost_usd: null, cost_source: null };

const listed = (facts: Partial<StepFacts>) => priceStep({ ...FACTS, ...facts }, NO_OVERRIDES);
const details = (members: object): RawJson => RawJson.trusted(JSON.stringify(members));

function aPrice(members: Partial<ModelPriceRow>): ModelPriceRow {
  const row = { id: '', provider: null, model: 'gpt-4o', input: '1', output: '2', valid_from: null };
  return { ...row, cache_read: null, cache_write: null, created_at: '', ...members };
}

describe('priceStep', () => {
  it('a reported cost is the cost, whatever is known of the model', () => {
    expect(listed({ cost_usd: '0.5' })).toEqual({ cost_usd: '0.5', cost_source: 'reported' });
  });

  it.each([
    ['an unknown model', { model: 'no-such-model' }],
    ['an unknown provider', { provider: 'my-proxy' }],
    ['no model', { model: null }],
    ['no tokens', { tokens_in: null, tokens_out: null }],
    ['no tokens that went in', { tokens_in: null }],
    ['more cached tokens than went in', { token_details: details({ cache_read_tokens: 1_001 }) }],
    ['a model that is not priced by tokens', { model: 'whisper-1' }],
    ['a model with an empty list of prices', { model: 'llama-3.3-70b:free', provider: 'openrouter' }],
  ])('%s is no cost, and never zero', (_, facts) => {
    expect(listed(facts)).toEqual(UNKNOWN);
  });

  it('names of a provider that are in use, and models without a provider, find the list price', () => {
    const { cost_usd } = listed({});
    for (const provider of ['openai.chat', 'OpenAI', null])
      expect(listed({ provider })).toMatchObject({ cost_usd });
  });

  it('[F10] agrees with the library on every model of the bundled table, to ten decimals', () => {
    let compared = 0;
    for (const provider of [
      'openai',
      'anthropic',
      'google',
      'aws',
      'mistral',
      'groq',
      'deepseek',
      'openrouter',
    ]) {
      for (const { id } of findProvider({ providerId: provider })?.models ?? []) {
        for (const tokens of [123_457, 200_001, 1_000_000]) {
          const facts = { model: id, provider, tokens_in: tokens, token_details: details(CACHED) };
          const usage = { input_tokens: tokens, output_tokens: 100, ...CACHED };
          const { total_price = -1 } = calcPrice(usage, id, { providerId: provider, timestamp: START }) ?? {};
          const { cost_usd } = listed(facts);
          if (cost_usd === null) continue;
          compared++;
          expect([id, tokens, Math.abs(Number(cost_usd) - total_price) < 1.01e-10]).toEqual([
            id,
            tokens,
            true,
          ]);
        }
      }
    }
    expect(compared).toBeGreaterThan(1_500);
  });

  it('kinds of tokens with a price of their own are priced by it', () => {
    const [model, provider] = ['gemini-2.5-flash', 'google'];
    const usage = {
      input_tokens: 1_000,
      output_tokens: 100,
      input_audio_tokens: 400,
      output_audio_tokens: 50,
    };
    const expected = calcPrice(usage, model, { providerId: provider })?.total_price.toFixed(10);
    const token_details = details({ input_audio_tokens: 400 });
    expect(Number(listed({ model, provider, token_details }).cost_usd)).toBe(Number(expected));
    expect(listed({ model, provider }).cost_usd).not.toBe(
      listed({ model, provider, token_details }).cost_usd,
    );
  });

  it('the price is that of the moment at which the step started', () => {
    const [model, provider] = ['deepseek-chat', 'deepseek'];
    for (const started_at of ['2025-01-01T12:00:00Z', '2026-06-01T18:00:00Z']) {
      const usage = { input_tokens: 1_000, output_tokens: 100 };
      const price = calcPrice(usage, model, { providerId: provider, timestamp: new Date(started_at) });
      expect(Number(listed({ model, provider, started_at }).cost_usd)).toBeCloseTo(
        price?.total_price ?? -1,
        10,
      );
    }
  });

  it('details that are no counts of tokens change nothing', () => {
    const odd =
      '{"cache_read_tokens":"9","cache_write_tokens":-1,"reasoning_tokens":1.5,"__proto__":{"x":1}}';
    expect(listed({ token_details: RawJson.trusted(odd) })).toEqual(listed({}));
  });
});

describe('a price of the organization', () => {
  const priced = (rows: ModelPriceRow[], facts: Partial<StepFacts> = {}) =>
    priceStep({ ...FACTS, ...facts }, overridesFrom(rows));

  it('goes before the list price, and knows models that no list knows', () => {
    expect(priced([aPrice({})])).toEqual({ cost_usd: '0.0012', cost_source: 'override' });
    const own = { model: 'ours', provider: 'my-proxy' };
    expect(priced([aPrice({ model: 'ours' })], own)).toEqual({ cost_usd: '0.0012', cost_source: 'override' });
    expect(priced([aPrice({ model: 'other' })])).toMatchObject({ cost_source: 'computed' });
  });

  it('for the provider goes before one for every provider, and one for another provider does not count', () => {
    const rows = [
      aPrice({}),
      aPrice({ provider: 'openai', input: '10' }),
      aPrice({ provider: 'azure', input: '20' }),
    ];
    expect(priced(rows).cost_usd).toBe('0.0102');
    expect(priced(rows, { provider: 'azure' }).cost_usd).toBe('0.0202');
    expect(priced(rows, { provider: null }).cost_usd).toBe('0.0012');
  });

  it('is the latest that had begun when the step started', () => {
    const rows = [
      aPrice({ input: '5', valid_from: '2026-05-01T00:00:00.000000Z' }),
      aPrice({ input: '9', valid_from: '2026-07-01T00:00:00.000000Z' }),
      aPrice({}),
    ];
    expect(priced(rows).cost_usd).toBe('0.0052');
    expect(priced(rows, { started_at: '2026-07-01T00:00:00.000000Z' }).cost_usd).toBe('0.0092');
    expect(priced(rows, { started_at: '2020-01-01T00:00:00.000000Z' }).cost_usd).toBe('0.0012');
  });
});
