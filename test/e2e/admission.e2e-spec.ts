import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { aKey, anOrganization, aProject } from '../support/things.js';

/** Steps of one new run. */
function aBatch(steps: number): object[] {
  const run = randomUUID();
  return [aRunStart(run), ...Array.from({ length: steps }, () => aStepStart(run))];
}

describe('how much is let in', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({
      AGENTFLOW_ITEMS_PER_SECOND_OF_KEY: '10',
      AGENTFLOW_ITEMS_PER_SECOND_OF_ORGANIZATION: '30',
      AGENTFLOW_MAX_IN_FLIGHT_BYTES: String(1024 * 1024),
    });
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  const aReporter = async (client = api.admin): Promise<TestApi['admin']> =>
    api.as((await aKey(client, { scope: 'organization', role: 'reporter' })).key);

  it('[R7] A key above its quota is told when to come back, and keeps nobody else waiting', async () => {
    const noisy = await aReporter();
    const calm = await aReporter();
    expect((await noisy.post('/v1/ingest', aBatch(110))).status).toBe(200);
    const refused = await noisy.post('/v1/ingest', aBatch(1));
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_items']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await calm.post('/v1/ingest', aBatch(1))).status).toBe(200);
  });

  it('[R7] An organization above its quota is refused with all its keys, and another is not', async () => {
    const founded = await anOrganization(api.root);
    const admin = api.as(founded.api_key.key);
    await aProject(admin);
    const keys = await Promise.all([1, 2, 3, 4].map(() => aReporter(admin)));
    for (const key of keys.slice(0, 3)) expect((await key.post('/v1/ingest', aBatch(104))).status).toBe(200);
    expect((await keys[3]?.post('/v1/ingest', aBatch(1)))?.status).toBe(429);
    expect((await (await aReporter()).post('/v1/ingest', aBatch(1))).status).toBe(200);
  });

  it('[O8] [R7] Other reporters are refused in the form of their protocol, with a Retry-After', async () => {
    const { key } = await aKey(api.admin, { scope: 'organization', role: 'reporter' });
    await api.as(key).post('/v1/ingest', aBatch(110));
    const answer = await fetch(`${api.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
    });
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([429, 8]);
    expect(answer.headers.has('retry-after')).toBe(true);
  });

  it('[R1] [R7] Batches beyond the memory that they may take are refused before they are read', async () => {
    const reporter = await aReporter();
    const large =
      JSON.stringify(aBatch(3).map((item) => ({ ...item, name: undefined }))) + ' '.repeat(400_000);
    const answers = await Promise.all(Array.from({ length: 12 }, () => reporter.post('/v1/ingest', large)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => [200, 503, 429].includes(status))).toBe(true);
    expect(statuses.has(200)).toBe(true);
    expect(statuses.has(503)).toBe(true);
    expect((await aReporter().then((fresh) => fresh.post('/v1/ingest', aBatch(1)))).status).toBe(200);
  });

  it('[R1] Bodies that do not say their length are counted as they arrive: many small ones are all let in', async () => {
    const reporter = await aReporter();
    const send = (): Promise<Response> =>
      fetch(`${api.url}/v1/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${reporter.key}`, 'content-type': 'application/json' },
        body: ReadableStream.from([Buffer.from('['), Buffer.from(']')]),
        duplex: 'half',
      } as RequestInit);
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const sendMuch = (): Promise<Response> =>
      fetch(`${api.url}/v1/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${reporter.key}`, 'content-type': 'application/json' },
        body: ReadableStream.from(Array.from({ length: 30 }, () => Buffer.alloc(64 * 1024, ' '))),
        duplex: 'half',
      } as RequestInit);
    const large = await Promise.all([1, 2, 3].map(sendMuch));
    const refused = large.find(({ status }) => status === 503);
    expect(await refused?.json()).toMatchObject({ code: 'unavailable' });
  });
});
