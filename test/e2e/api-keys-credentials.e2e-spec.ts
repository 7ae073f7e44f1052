import { composeKey } from '@agentflow/domain';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeyText } from '../../apps/api/src/api-keys/key-mint.js';
import { ROOT_KEY, anApi, type TestApi } from '../support/api.js';
import { comparable, exchange, type Reply } from '../support/matrix/exchange.js';
import { bodyOf, rawExchange, statusOf } from '../support/matrix/raw-socket.js';
import { aKey, anAgent } from '../support/things.js';

/** The answer without its request id and date. */
const masked = (answer: string): string =>
  answer
    .replace(/^Date: .*\r\n/im, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id');

describe('credentials', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  /** What a request with these headers gets, sent byte for byte. */
  const asking = (...headers: string[]): Promise<string> =>
    rawExchange(api.url, ['GET /v1/me HTTP/1.1', 'Host: here', ...headers]);

  async function deadKeys(): Promise<Record<string, string>> {
    const revoked = await aKey(api.admin, { scope: 'organization' });
    await api.admin.delete(`/v1/api-keys/${revoked.id}`);
    const rotated = await aKey(api.admin, { scope: 'organization' });
    await api.admin.post(`/v1/api-keys/${rotated.id}/rotate`, { grace_seconds: 0 });
    const expired = await aKey(api.admin, { scope: 'organization', expires_at: '2026-01-01T00:00:00Z' });
    const agent = await anAgent(api.admin);
    const orphan = await aKey(api.admin, { scope: 'agent', agent_id: agent.id });
    await api.admin.delete(`/v1/agents/${agent.id}`);
    return { revoked: revoked.key, rotated: rotated.key, expired: expired.key, orphan: orphan.key };
  }

  it('[K4] every bad credential gets one and the same 401, byte for byte', async () => {
    const { adminKey } = api;
    const { revoked, rotated, expired, orphan } = await deadKeys();
    const unknown = newKeyText('organization');
    const wrongSecret = composeKey('organization', adminKey.slice(7, 19), 'x'.repeat(43));
    const model = masked(await asking());
    expect(statusOf(model)).toBe(401);
    expect(model).toMatch(/\r\nWWW-Authenticate: Bearer realm="agentflow"\r\n/i);
    for (const headers of [
      ['Authorization:'],
      ['Authorization: Bearer'],
      ['Authorization: Bearer '],
      ['Authorization: '],
      ['X-API-Key:'],
      [`Authorization: ${adminKey}`],
      [`Authorization: Basic ${Buffer.from(`${adminKey}:`).toString('base64')}`],
      [`Authorization: Basic ${adminKey}`],
      [`Authorization: Bearer ${adminKey} x`],
      [`Authorization: Bearer ${adminKey},${adminKey}`],
      [`Authorization: Bearer "${adminKey}"`],
      [`Authorization: Bearer  Bearer ${adminKey}`],
      [`Authorization: Bearer ${adminKey.slice(0, -1)}`],
      [`Authorization: Bearer ${adminKey}0`],
      [`Authorization: Bearer ${adminKey.toLowerCase()}`],
      [`Authorization: Bearer ${adminKey.replace('af_org_', 'af_agt_')}`],
      [`Authorization: Bearer ${unknown}`],
      [`Authorization: Bearer ${wrongSecret}`],
      [`Authorization: Bearer ${revoked}`],
      [`Authorization: Bearer ${rotated}`],
      [`Authorization: Bearer ${expired}`],
      [`Authorization: Bearer ${orphan}`],
      [`Authorization: Bearer ${ROOT_KEY.slice(0, -1)}`],
      [`Authorization: Bearer ${'x'.repeat(8_192)}`],
      [`Authorization: Bearer ${adminKey}`, `Authorization: Bearer ${unknown}`],
      [`Authorization: Bearer ${unknown}`, `Authorization: Bearer ${adminKey}`],
      [`Authorization: Bearer ${adminKey}`, `Authorization: Bearer ${adminKey}`],
      [`Authorization: Bearer ${adminKey}`, `X-API-Key: ${unknown}`],
      [`X-API-Key: ${adminKey}`, `X-API-Key: ${adminKey}`],
      [`X-API-Key: Bearer ${adminKey}`],
      [`X-API-Key: ${adminKey}\u00ff`],
      [`Proxy-Authorization: Bearer ${adminKey}`],
      [`Cookie: authorization=${adminKey}; api_key=${adminKey}`],
    ]) {
      expect({ headers, answer: masked(await asking(...headers)) }).toEqual({ headers, answer: model });
    }
  });

  it('[K4] bytes that no header may have are refused before anybody is asked', async () => {
    const answer = await asking(`Authorization: Bearer ${api.adminKey}\0`);
    expect(statusOf(answer)).toBe(400);
    expect(JSON.parse(bodyOf(answer))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '', detail: 'This is not HTTP.' }],
    });
  });

  it('[K4] a good key is taken in either header, whatever the case of the scheme', async () => {
    for (const header of [
      `Authorization: Bearer ${api.adminKey}`,
      `authorization: bearer ${api.adminKey}`,
      `X-API-Key: ${api.adminKey}`,
      `x-api-key: ${api.adminKey}`,
    ]) {
      expect(statusOf(await asking(header))).toBe(200);
    }
  });

  it.each(['api_key', 'apikey', 'key', 'token', 'access_token', 'authorization', 'x-api-key'])(
    '[K14] a key in the address as ?%s= opens nothing and is not logged',
    async (name) => {
      const model = comparable(await exchange(api.url, { method: 'GET', path: '/v1/me' }));
      for (const path of [`/v1/me?${name}=${api.adminKey}`, `/v1/runs?limit=1&${name}=${api.adminKey}`]) {
        expect(comparable(await exchange(api.url, { method: 'GET', path }))).toBe(model);
        expect((await exchange(api.url, { method: 'POST', path, body: {} })).status).not.toBe(201);
      }
      await expectNotLogged(api.adminKey);
    },
  );

  it('[K14] a key within the path opens nothing and is not logged', async () => {
    const replies: Reply[] = [];
    for (const path of [`/${api.adminKey}/v1/me`, `/v1/me/${api.adminKey}`, `/v1/api-keys/${api.adminKey}`]) {
      replies.push(await exchange(api.url, { method: 'GET', path }));
      replies.push(await exchange(api.url, { method: 'GET', path, key: api.adminKey }));
    }
    for (const { status, text } of replies) {
      expect([401, 404]).toContain(status);
      expect(text).not.toContain(api.adminKey);
    }
    await expectNotLogged(api.adminKey);
  });

  /** Logging comes after the answer: the line of a later request has to be there first. */
  async function expectNotLogged(key: string): Promise<void> {
    const later = await exchange(api.url, { method: 'GET', path: '/livez' });
    const id = later.headers.find(([name]) => name === 'x-request-id')?.[1] ?? '?';
    while (!api.log.some((line) => line.includes(id)))
      await exchange(api.url, { method: 'GET', path: '/livez' });
    expect(api.log.filter((line) => line.includes(key.slice(20)))).toEqual([]);
  }
});
