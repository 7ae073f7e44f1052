import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calcPrice } from '@pydantic/genai-prices';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aKey, aModelPrice, aRunningRun, aStep, anAgent } from '../support/things.js';

const CALL = {
  ...{ model: 'claude-sonnet-4-20250514', provider: 'anthropic', started_at: '2026-06-01T12:00:00Z' },
  ...{
    tokens_in: 10_000,
    tokens_out: 321,
    token_details: { cache_read_tokens: 7_000, cache_write_tokens: 501 },
  },
};

/** What the library itself makes of the call, to ten decimals. */
function listPriceOf({
  model,
  provider,
  started_at,
  tokens_in,
  tokens_out,
  token_details,
}: typeof CALL): string {
  const usage = { input_tokens: tokens_in, output_tokens: tokens_out, ...token_details };
  const price = calcPrice(usage, model, { providerId: provider, timestamp: new Date(started_at) });
  return (price as NonNullable<typeof price>).total_price.toFixed(10).replace(/\.?0+$/, '');
}

const UNKNOWN = { cost_usd: null, cost_source: null };
const aModel = (): string => `model-${randomUUID()}`;

describe('the cost of a step', () => {
  let api: TestApi;
  let runId: string;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    runId = (await aRunningRun(api.admin)).id;
  });

  const patch = async (id: string, body: object) => api.admin.patch(`/v1/runs/${runId}/steps/${id}`, body);
  const total = async (): Promise<string> => (await api.admin.get(`/v1/runs/${runId}`)).body.totals.cost_usd;

  it('is computed from the list price when nobody reports one', async () => {
    const step = await aStep(api.admin, runId, CALL);
    expect(step).toMatchObject({ cost_usd: listPriceOf(CALL), cost_source: 'computed' });
    expect((await api.admin.get(`/v1/runs/${runId}/steps/${step.id}`)).body).toEqual(step);
    expect((await api.admin.get(`/v1/runs/${runId}/steps`)).body.data).toEqual([step]);
    expect(await total()).toBe(listPriceOf(CALL));
  });

  it('is none for what no price is known of, and never zero', async () => {
    for (const unknown of [
      { model: aModel() },
      { provider: 'my-proxy' },
      { tokens_in: undefined },
      { model: undefined },
    ]) {
      expect(await aStep(api.admin, runId, { ...CALL, ...unknown })).toMatchObject(UNKNOWN);
    }
    expect(await total()).toBe('0');
  });

  it('is what was reported, whatever the price', async () => {
    expect(await aStep(api.admin, runId, { ...CALL, cost_usd: '0' })).toMatchObject({
      cost_usd: '0',
      cost_source: 'reported',
    });
    const { id } = await aStep(api.admin, runId, { cost_usd: '0.25' });
    const { tokens_in, model } = CALL;
    expect((await patch(id, { tokens_in, model })).body).toMatchObject({
      cost_usd: '0.25',
      cost_source: 'reported',
    });
    expect(await total()).toBe('0.25');
  });

  it('is computed when tokens or model become known, and again when they change', async () => {
    const { started_at, model, provider, tokens_in, tokens_out, token_details } = CALL;
    const { id } = await aStep(api.admin, runId, { started_at, model });
    expect((await patch(id, { tokens_in })).body.cost_source).toBe('computed');
    const done = await patch(id, { tokens_out, token_details, provider, status: 'succeeded' });
    expect(done.body).toMatchObject({ cost_usd: listPriceOf(CALL), cost_source: 'computed' });
    expect(await total()).toBe(listPriceOf(CALL));

    const second = await aStep(api.admin, runId, { ...CALL, model: aModel() });
    expect(second).toMatchObject(UNKNOWN);
    expect((await patch(second.id, { model })).body).toMatchObject({ cost_usd: listPriceOf(CALL) });
    expect(await total()).toBe(twice(listPriceOf(CALL)));
  });

  it('that was computed gives way to one that is reported, also after the completion, and the total follows', async () => {
    const { id, ended_at } = await aStep(api.admin, runId, { ...CALL, status: 'succeeded' });
    const reported = await patch(id, { cost_usd: '0.5' });
    expect(reported.body).toMatchObject({
      cost_usd: '0.5',
      cost_source: 'reported',
      status: 'succeeded',
      ended_at,
    });
    expect(await total()).toBe('0.5');
    expect((await patch(id, { cost_usd: '0.5' })).text).toBe(reported.text);
    const other = await patch(id, { cost_usd: '0.6' });
    expect([other.status, other.body.code]).toEqual([409, 'already_completed']);
  });

  it('that is reported as high as it was computed is reported from then on', async () => {
    const { id } = await aStep(api.admin, runId, CALL);
    const { body } = await patch(id, { cost_usd: listPriceOf(CALL) });
    expect(body).toMatchObject({ cost_usd: listPriceOf(CALL), cost_source: 'reported' });
    expect(await total()).toBe(listPriceOf(CALL));
  });

  it('that was computed is not something that a repeat has to state, and contradicts no repeat', async () => {
    const said = { ...CALL, id: randomUUID(), node: 'call', status: 'succeeded' };
    const first = await api.admin.post(`/v1/runs/${runId}/steps`, said);
    const again = await api.admin.post(`/v1/runs/${runId}/steps`, said);
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
    expect((await patch(said.id, { status: 'succeeded', tokens_out: CALL.tokens_out })).text).toBe(
      first.text,
    );
    const other = await api.admin.post(`/v1/runs/${runId}/steps`, { ...said, cost_usd: first.body.cost_usd });
    expect([other.status, other.body.code]).toEqual([409, 'id_conflict']);
    expect(await total()).toBe(listPriceOf(CALL));
  });

  it('follows the price of the organization where there is one, as reckoned by hand', async () => {
    const model = aModel();
    await aModelPrice(api.admin, { model, input: '3', output: '15', cache_read: '0.3' });
    const step = await aStep(api.admin, runId, { ...CALL, model, provider: 'my-proxy' });
    // 2499 fresh and 501 written at 3, 7000 read at 0.3, 321 out at 15: 7497 + 1503 + 2100 + 4815 millionths.
    expect(step).toMatchObject({ cost_usd: '0.015915', cost_source: 'override' });
    expect(await total()).toBe('0.015915');
  });

  it('follows a new price at once, of the time at which the step started, and steps before keep theirs', async () => {
    const model = aModel();
    const say = (started_at: string) => aStep(api.admin, runId, { model, tokens_in: 1_000_000, started_at });
    await aModelPrice(api.admin, { model, input: 1 });
    expect((await say('2026-06-01T00:00:00Z')).cost_usd).toBe('1');
    const later = await aModelPrice(api.admin, { model, input: 2, valid_from: '2026-05-01T00:00:00Z' });
    expect((await say('2026-06-01T00:00:00Z')).cost_usd).toBe('2');
    expect((await say('2026-04-30T23:59:59Z')).cost_usd).toBe('1');
    await api.admin.delete(`/v1/model-prices/${later.id}`);
    expect((await say('2026-06-01T00:00:00Z')).cost_usd).toBe('1');
    expect(await total()).toBe('5');
  });

  it('follows the price of the organization for the key of an agent, too', async () => {
    const model = aModel();
    await aModelPrice(api.admin, { model, input: 7 });
    const agent = await anAgent(api.admin);
    const client = api.as(
      (await aKey(api.admin, { scope: 'agent', agent_id: agent.id, role: 'reporter' })).key,
    );
    const run = await aRunningRun(client, { agent_id: agent.id });
    const body = { node: 'call', model, tokens_in: 1_000_000 };
    const step = await client.post(`/v1/runs/${run.id}/steps`, body, { 'idempotency-key': randomUUID() });
    expect(step.body).toMatchObject({ cost_usd: '7', cost_source: 'override' });
  });

  it('[F10] that is computed adds up without drift', async () => {
    const model = aModel();
    await aModelPrice(api.admin, { model, input: '0.1' });
    for (let i = 0; i < 30; i++) await aStep(api.admin, runId, { model, tokens_in: 1 });
    expect(await total()).toBe('0.000003');
  });
});

function twice(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const units = (2n * BigInt(whole + fraction.padEnd(10, '0'))).toString().padStart(11, '0');
  return `${units.slice(0, -10)}.${units.slice(-10)}`.replace(/\.?0+$/, '');
}
