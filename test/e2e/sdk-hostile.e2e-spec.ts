import { AgentFlow, ApiError, ConnectionError, TimeoutError, type AgentFlowOptions } from '@agentflow/sdk';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { aFront, answered, silent, type Fate, type Front } from '../support/front.js';

const KEY = 'af_org_notarealkey';

describe('the TypeScript client before servers that are not the api', () => {
  let front: Front;
  const aClient = (options: AgentFlowOptions = {}): AgentFlow =>
    new AgentFlow({ apiKey: KEY, baseUrl: front.url, maxRetries: 0, ...options });
  beforeEach(async () => {
    front = await aFront('http://127.0.0.1:9');
  });
  afterEach(() => front.close());

  it('[SDK4] Of an endless refusal only a part is read', async () => {
    const sent = { bytes: 0 };
    front.always(endless(sent));
    await expect(aClient().me()).rejects.toMatchObject({ status: 500, code: undefined });
    expect(sent.bytes).toBeLessThan(16 * 1024 * 1024); // what the two ends of the connection hold between them
  });

  it.each([301, 302, 303, 307, 308])('[SDK4] The key follows no redirect: %i', async (status) => {
    const elsewhere = await aFront('http://127.0.0.1:9');
    front.always(answered(status, { location: `${elsewhere.url}/v1/me` }));
    const call = aClient({ maxRetries: 3 }).me();
    await expect(call).rejects.toThrow('redirects elsewhere, which is not followed');
    expect([front.seen.length, elsewhere.seen.length]).toEqual([1, 0]);
    await elsewhere.close();
  });

  it('[SDK4] A call ends at its deadline: before silence, a body that stops, and a fetch that does not end', async () => {
    const stops: Fate = (_seen, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const deaf: AgentFlowOptions = { fetch: () => new Promise(() => undefined) };
    for (const [fate, options] of [
      [silent, {}],
      [stops, {}],
      [silent, deaf],
    ] as const) {
      front.always(fate);
      const startedMs = performance.now();
      await expect(aClient({ ...options, timeoutMs: 1_000, maxRetries: 2 }).me()).rejects.toThrow(
        new TimeoutError(`No answer from ${front.url} within 1000 ms`),
      );
      const tookMs = performance.now() - startedMs;
      expect(Math.abs(tookMs - 1_000)).toBeLessThan(750);
    }
  });

  it('[SDK4] One silent connection leaves time for another', async () => {
    front.next(silent);
    front.always(answered(200, { 'content-type': 'application/json' }, '{"permissions":[]}'));
    expect(await aClient({ timeoutMs: 2_000, maxRetries: 1 }).me()).toEqual({ permissions: [] });
  });

  it('A single call can have a deadline of its own', async () => {
    front.always(silent);
    await expect(aClient().me({ timeoutMs: 50 })).rejects.toThrow('within 50 ms');
  });

  it('A page that is no answer of the api is told as that', async () => {
    front.next(answered(200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'));
    await expect(aClient().me()).rejects.toThrow(
      'answered 200 without JSON; is the base URL that of the API?',
    );
    front.next(answered(200, { 'content-type': 'application/json' }, '{"cut":'));
    await expect(aClient().me()).rejects.toThrow('The answer could not be parsed');
    front.next(answered(403, { 'content-type': 'text/html' }, '<h1>Forbidden</h1>'));
    const error: unknown = await aClient().me().catch((reason: unknown) => reason); // prettier-ignore
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 403, code: undefined, errors: [] });
  });

  it('A server that is not there is named', async () => {
    const { url } = front;
    await front.close();
    const call = aClient({ baseUrl: url }).me();
    await expect(call).rejects.toThrow(ConnectionError);
    await expect(call).rejects.toThrow(`No connection to ${url}: `);
    front = await aFront(url);
  });

  it('The path of the base URL is kept in front of the routes', async () => {
    front.always(answered(200, { 'content-type': 'application/json' }, '{}'));
    await aClient({ baseUrl: `${front.url}/agentflow/` }).me();
    expect(front.seen.map(({ url }) => url)).toEqual(['/agentflow/v1/me']);
    expect(front.seen[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  it.each([
    ['no key', { apiKey: '' }, 'An API key is needed: give apiKey, or set AGENTFLOW_API_KEY'],
    ['no URL', { baseUrl: 'localhost' }, 'The base URL "localhost" is not a URL'],
    ['another protocol', { baseUrl: 'file:///etc' }, 'The base URL has to begin with http:// or https://'],
    ['credentials', { baseUrl: 'http://me:secret@host' }, 'must not contain a user name or password'],
    ['a query', { baseUrl: 'http://host/?a=1' }, 'must not contain a query or a fragment'],
    ['no time', { timeoutMs: 0 }, 'timeoutMs has to be from 1 to'],
  ])('A client that could not work is not made: %s', (_what, options, message) => {
    expect(() => aClient(options)).toThrow(TypeError);
    expect(() => aClient(options)).toThrow(message);
  });

  it('Key and address come from the environment where they are not given', async () => {
    front.always(answered(200, { 'content-type': 'application/json' }, '{}'));
    process.env.AGENTFLOW_API_KEY = KEY;
    process.env.AGENTFLOW_BASE_URL = front.url;
    try {
      await new AgentFlow().me();
    } finally {
      delete process.env.AGENTFLOW_API_KEY;
      delete process.env.AGENTFLOW_BASE_URL;
    }
    expect(front.seen[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });
});

/** Writes as long as somebody reads. */
function endless(sent: { bytes: number }): Fate {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  return async (_seen, response) => {
    response.writeHead(500, { 'content-type': 'application/problem+json' });
    const closed = once(response, 'close').then(() => true);
    for (let isClosed = false; !isClosed;) {
      sent.bytes += chunk.length;
      if (!response.write(chunk))
        isClosed = await Promise.race([closed, once(response, 'drain').then(() => false)]);
      else isClosed = response.destroyed;
    }
  };
}
