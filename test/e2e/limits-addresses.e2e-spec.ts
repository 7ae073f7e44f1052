import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { head, rawExchange } from '../support/raw-http.js';
import { aMessage, aProject, aRunningRun } from '../support/things.js';

describe('addresses, headers and pages', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const ask = async (path: string, ...headers: string[]): Promise<[number | undefined, string]> => {
    const { answers } = await rawExchange(api.url, [head('GET', path, api.adminKey, ...headers)]);
    return [answers[0]?.status, answers[0]?.text ?? ''];
  };

  it('[R12] An address of over 8 kB is refused with 414, one of 64 kB with 414 or 431, each as a problem', async () => {
    const [status, text] = await ask(`/v1/runs?tag=${'x'.repeat(9_000)}`);
    expect([status, JSON.parse(text).code]).toEqual([414, 'uri_too_long']);
    const [far, farText] = await ask(`/v1/runs?tag=${'x'.repeat(65_536)}`);
    expect([414, 431]).toContain(far);
    expect(JSON.parse(farText)).toMatchObject({ status: far, instance: expect.stringMatching(/^urn:uuid:/) });
    expect((await ask(`/v1/${'x'.repeat(7_000)}`))[0]).toBe(404);
  });

  it('[R12] 200 headers are read; over 16 kB of them are refused with 431 as a problem', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `X-Header-${i}: value ${i}`);
    expect((await ask('/v1/me', ...many))[0]).toBe(200);
    for (const headers of [
      [`X-Long: ${'x'.repeat(20_000)}`],
      many.flatMap((one) => [one, `${one}-${'x'.repeat(100)}`]),
    ]) {
      const [status, text] = await ask('/v1/me', ...headers);
      expect([status, JSON.parse(text).code]).toEqual([431, 'headers_too_large']);
    }
  });

  it('[R6] A page has 200 rows at most, and there is no way to skip rows but the cursor', async () => {
    const run = await aRunningRun(api.admin);
    for (let i = 0; i < 205; i++) await aMessage(api.admin, run.id, { content: String(i) });
    const list = `/v1/runs/${run.id}/messages`;
    const page = (await api.admin.get(`${list}?limit=200`)).body;
    expect(page.data).toHaveLength(200);
    expect((await api.admin.get(`${list}?limit=200&cursor=${page.next_cursor}`)).body.data).toHaveLength(5);
    expect((await api.admin.get(list)).body.data).toHaveLength(50);
    for (const query of ['limit=201', 'limit=1000000000', 'limit=0', 'offset=5', 'page=2']) {
      expect([query, (await api.admin.get(`${list}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('[T12] [R6] A cursor that anybody could have made up is refused before the database sees it', async () => {
    const { createHash } = await import('node:crypto');
    const tenant = (await api.admin.get('/v1/me')).body.organization.id as string;
    const forged = (list: string, position: string): string => {
      const encoded = Buffer.from(position).toString('base64url');
      const sealed = JSON.stringify([list, tenant, [], encoded]);
      return `${encoded}.${createHash('sha256').update(sealed).digest('base64url').slice(0, 16)}`;
    };
    await aProject(api.admin);
    const page = (await api.admin.get('/v1/projects?limit=1')).body;
    const position = Buffer.from(page.next_cursor.split('.')[0], 'base64url').toString();
    // The seal is no secret: whoever knows how it is made gets this far, and no further.
    expect(forged('projects', position)).toBe(page.next_cursor);
    const logged = api.log.length;
    for (const made of [
      '',
      'x',
      'null',
      '5',
      '{}',
      '[]',
      '[1]',
      '["x","y"]',
      '["2026-02-30T00:00:00Z","x"]',
      '[{"a":1},[]]',
    ]) {
      const answer = await api.admin.get(`/v1/projects?cursor=${forged('projects', made)}`);
      expect([made, answer.status, answer.body.code]).toEqual([made, 400, 'invalid_cursor']);
      expect(answer.body.errors).toEqual([{ pointer: '?cursor', detail: expect.any(String) }]);
    }
    const run = await aRunningRun(api.admin);
    for (const made of ['[-1]', '[2147483648]', '[1.5]', '["1"]', '[null]', '[1,2]', '[1e400]']) {
      const list = `runs/${run.id}/steps`;
      const answer = await api.admin.get(`/v1/${list}?cursor=${forged(list, made)}`);
      expect([made, answer.status, answer.body.code]).toEqual([made, 400, 'invalid_cursor']);
    }
    expect(
      api.log.slice(logged).filter((line) => (JSON.parse(line) as { level: number }).level > 30),
    ).toEqual([]);
  });

  it('The limits that are published are the ones in force', async () => {
    const limits = (await api.admin.get('/v1/limits')).body;
    expect(limits).toEqual({
      request_bytes: 1_048_576,
      batch_bytes: 20_971_520,
      batch_items: 5_000,
      payload_bytes: 4_194_304,
      payload_depth: 64,
      page_size: 200,
      in_flight_bytes: 67_108_864,
      items_per_second_of_key: 0,
      items_per_second_of_organization: 0,
    });
    const body = (bytes: number): string => `{"name":"${Math.random()}"}`.padEnd(bytes, ' ');
    expect((await api.admin.post('/v1/projects', body(limits.request_bytes))).status).toBe(201);
    expect((await api.admin.post('/v1/projects', body(limits.request_bytes + 1))).status).toBe(413);
  });
});
