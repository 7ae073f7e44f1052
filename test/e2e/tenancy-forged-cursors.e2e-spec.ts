import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { exchange } from '../support/matrix/exchange.js';
import { rawExchange, statusOf } from '../support/matrix/raw-socket.js';
import { aRun, anAgent } from '../support/things.js';

const REFUSED = '400 invalid_cursor';

/** Bytes as they go into an address, whatever they are. */
const escaped = (bytes: Buffer): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('cursors that the server did not make', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    const { id } = await anAgent(api.admin);
    for (let i = 0; i < 3; i++) await aRun(api.admin, { agent_id: id });
  });
  afterAll(() => api.close());

  /** What comes of the list of runs with such a query: the status, and the code of a refusal. */
  async function outcome(query: string): Promise<string> {
    const { status, text } = await exchange(api.url, {
      method: 'GET',
      path: `/v1/runs?${query}`,
      key: api.adminKey,
    });
    return status === 200 ? '200' : `${status} ${JSON.parse(text).code}`;
  }

  const aCursor = async (): Promise<string> => (await api.admin.get('/v1/runs?limit=1')).body.next_cursor;

  it('[T12] a seal that anybody can make opens nothing: only what a row could have is a position', async () => {
    const organizationId = (await api.admin.get('/v1/me')).body.organization.id;
    const forged = (position: string): string => {
      const encoded = Buffer.from(position).toString('base64url');
      const sealed = JSON.stringify(['runs', organizationId, [], encoded]);
      return `${encoded}.${createHash('sha256').update(sealed).digest('base64url').slice(0, 16)}`;
    };
    const [position = ''] = (await aCursor()).split('.');
    const genuine = Buffer.from(position, 'base64url').toString();
    expect(await outcome(`cursor=${forged(genuine)}`)).toBe('200');
    const [at, id] = JSON.parse(genuine);
    for (const key of [
      [],
      [at],
      [id, at],
      [at, id, id],
      [at, 1],
      [1, id],
      ['now', id],
      ['infinity', id],
      [at, null],
      [{}, id],
    ]) {
      expect([key, await outcome(`cursor=${forged(JSON.stringify(key))}`)]).toEqual([key, REFUSED]);
    }
    for (const text of ['', '{}', 'null', '"x"', '[', `["${at}","${id}" --]`, '1e999']) {
      expect([text, await outcome(`cursor=${forged(text)}`)]).toEqual([text, REFUSED]);
    }
  });

  it('[T12] refuses garbage, whatever its size', async () => {
    const [position = '', seal = ''] = (await aCursor()).split('.');
    for (const garbage of [
      '',
      '.',
      'x'.repeat(1_000),
      '..',
      'null',
      '0',
      position,
      seal,
      `.${seal}`,
      `${position}.`,
      `${seal}.${position}`,
      `${position}.${seal}.`,
      `${position}=.${seal}`,
      `%20${position}.${seal}`,
      `${position}.${seal}%0a`,
      `${Buffer.from('{"a":1}').toString('base64url')}.${seal}`,
      randomBytes(64).toString('base64url'),
    ]) {
      expect([garbage, await outcome(`cursor=${garbage}`)]).toEqual([garbage, REFUSED]);
    }
    for (const garbage of [escaped(randomBytes(64)), '%00', 'x'.repeat(1_025)]) {
      expect(await outcome(`cursor=${garbage}`)).toBe('400 invalid_request');
    }
    expect(await outcome(`cursor=${'x'.repeat(15_000)}`)).toBe('414 uri_too_long');
    const endless = [
      `GET /v1/runs?cursor=${'x'.repeat(100_000)} HTTP/1.1`,
      'Host: here',
      `X-API-Key: ${api.adminKey}`,
    ];
    expect([414, 431]).toContain(statusOf(await rawExchange(api.url, endless)));
    expect(await outcome(`cursor=${position}.${seal}&cursor=${position}.${seal}`)).toBe(
      '400 invalid_request',
    );
  });
});
