import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aKey, aModelPrice, aRunningRun, aStep, anAgent, anOrganization } from '../support/things.js';

const aModel = (): string => `model-${randomUUID()}`;

describe('model prices', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('A price is created, shown, listed and deleted, its decimals as they were sent', async () => {
    const said = {
      ...{ model: aModel(), provider: 'openai', input: '2.5', output: '0.0000000001' },
      ...{ cache_read: '1.25', cache_write: '0', valid_from: '2026-02-03T04:05:06.123456Z' },
    };
    const created = await api.admin.post('/v1/model-prices', said);
    expect(created.status).toBe(201);
    const { id, created_at } = created.body;
    expect(created.body).toEqual({ ...said, id, created_at });
    expect((await api.admin.get(`/v1/model-prices/${id}`)).body).toEqual(created.body);
    expect((await api.admin.get('/v1/model-prices')).body.data).toContainEqual(created.body);
    expect((await api.admin.delete(`/v1/model-prices/${id}`)).status).toBe(204);
    expect((await api.admin.get(`/v1/model-prices/${id}`)).status).toBe(404);
    expect((await api.admin.delete(`/v1/model-prices/${id}`)).status).toBe(404);
  });

  it('What is left out is null: every provider, no price of its own for cached tokens, valid always', async () => {
    const price = await aModelPrice(api.admin, { provider: null, valid_from: null });
    expect(price).toMatchObject({ provider: null, cache_read: null, cache_write: null, valid_from: null });
  });

  it('A model has one price of a provider at a time, and as many as begin at other times', async () => {
    const price = { model: aModel(), input: 1, output: 2 };
    const dated = { ...price, provider: 'p', valid_from: '2026-01-01T00:00:00Z' };
    for (const body of [
      price,
      dated,
      { ...price, provider: 'p' },
      { ...dated, valid_from: '2026-02-01T00:00:00Z' },
    ]) {
      expect((await api.admin.post('/v1/model-prices', body)).status).toBe(201);
      const twice = await api.admin.post('/v1/model-prices', { ...body, input: 9 });
      expect([twice.status, twice.body.code]).toEqual([409, 'name_taken']);
    }
  });

  it('Pages go on from the cursor, newest first', async () => {
    for (let i = 0; i < 5; i++) await aModelPrice(api.admin);
    const pages = await everyRow(api.admin, '/v1/model-prices', 2);
    expect(pages).toEqual((await api.admin.get('/v1/model-prices?limit=200')).body.data);
  });

  it('An Idempotency-Key makes one price, however often it is sent', async () => {
    const body = { model: aModel(), input: 1, output: 2 };
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await api.admin.post('/v1/model-prices', body, headers),
      await api.admin.post('/v1/model-prices', body, headers),
    ];
    expect(second.text).toBe(first.text);
  });

  it('[V10] Faults of a body are listed all at once, each with its pointer', async () => {
    const body = {
      model: '',
      provider: 5,
      input: -1,
      output: '1e-11',
      cache_read: 'x',
      valid_from: 'soon',
      extra: 1,
    };
    const answer = await api.admin.post('/v1/model-prices', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      ...['/cache_read', '/extra', '/input', '/model', '/output', '/provider', '/valid_from'],
    ]);
    const empty = await api.admin.post('/v1/model-prices', {});
    expect(empty.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      ...['/input', '/model', '/output'],
    ]);
  });

  it('Every key of the organization reads its prices, and only an admin of the organization sets them', async () => {
    const price = await aModelPrice(api.admin);
    const agent = await anAgent(api.admin);
    const scopes = [
      { scope: 'project', project_id: agent.project_id },
      { scope: 'agent', agent_id: agent.id },
    ];
    for (const scope of scopes) {
      const client = api.as((await aKey(api.admin, { ...scope, role: 'admin' })).key);
      expect((await client.get(`/v1/model-prices/${price.id}`)).body).toEqual(price);
      expect((await client.get('/v1/model-prices')).body.data).toContainEqual(price);
      expect((await client.post('/v1/model-prices', { model: 'm', input: 1, output: 1 })).status).toBe(403);
      expect((await client.delete(`/v1/model-prices/${price.id}`)).status).toBe(403);
    }
    const operator = api.as((await aKey(api.admin, { scope: 'organization', role: 'operator' })).key);
    expect((await operator.delete(`/v1/model-prices/${price.id}`)).status).toBe(403);
  });

  it('[T1] Another organization neither sees a price nor reckons with it', async () => {
    const model = aModel();
    const price = await aModelPrice(api.admin, { model });
    const other = api.as((await anOrganization(api.root)).api_key.key);
    expect((await other.get(`/v1/model-prices/${price.id}`)).status).toBe(404);
    expect((await other.delete(`/v1/model-prices/${price.id}`)).status).toBe(404);
    expect((await other.get('/v1/model-prices')).body.data).toEqual([]);
    expect((await other.post('/v1/model-prices', { model, input: 1, output: 1 })).status).toBe(201);
    const run = await aRunningRun(other);
    expect(await aStep(other, run.id, { model, tokens_in: 1_000_000 })).toMatchObject({ cost_usd: '1' });
  });
});
