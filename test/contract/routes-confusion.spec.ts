import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { leaks } from '../support/matrix/cells.js';
import { exchange, inParallel, type Reply, type Sent } from '../support/matrix/exchange.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';
import { rawExchange, statusOf } from '../support/matrix/raw-socket.js';
import { tableOf } from '../support/matrix/route-table.js';
import { SAMPLES } from '../support/matrix/samples.js';
import { filled, thingsOf } from '../support/matrix/targets.js';

/** Ways to write an address, or to speak of another, that have led past guards elsewhere. */
const DISGUISES: Readonly<Record<string, (sent: Sent) => Sent>> = {
  'a doubled slash': (sent) => ({ ...sent, path: `/${sent.path}` }),
  'doubled slashes inside': (sent) => ({ ...sent, path: sent.path.replaceAll('/', '//') }),
  'a slash at the end': (sent) => ({ ...sent, path: `${sent.path}/` }),
  'a dot at the end': (sent) => ({ ...sent, path: `${sent.path}/.` }),
  'upper case': (sent) => ({
    ...sent,
    path: sent.path.replace(/^\/v1\/[a-z-]+/, (text) => text.toUpperCase()),
  }),
  'an encoded letter': (sent) => ({ ...sent, path: sent.path.replace('/v1/', '/%761/') }),
  'an encoded slash': (sent) => ({ ...sent, path: `/v1%2f${sent.path.slice(4)}` }),
  'slashes encoded twice': (sent) => ({ ...sent, path: `/v1%252f${sent.path.slice(4)}` }),
  'a dot segment': (sent) => ({ ...sent, path: `/.${sent.path}` }),
  'a way up from a public page': (sent) => ({ ...sent, path: `/docs/..${sent.path}` }),
  'an encoded way up': (sent) => ({ ...sent, path: `/docs/%2e%2e${sent.path}` }),
  'a way up behind a problem page': (sent) => ({ ...sent, path: `/docs/problems/..%2f..${sent.path}` }),
  'a matrix parameter': (sent) => ({ ...sent, path: `${sent.path};a=b` }),
  'a matrix parameter of a public page': (sent) => ({ ...sent, path: `/livez;${sent.path}` }),
  'an encoded NUL': (sent) => ({ ...sent, path: `${sent.path}%00` }),
  'an encoded blank': (sent) => ({ ...sent, path: `${sent.path}%20` }),
  'a broken escape': (sent) => ({ ...sent, path: `${sent.path}%zz` }),
  'an encoded question mark': (sent) => ({ ...sent, path: `${sent.path}%3fx=1` }),
  backslashes: (sent) => ({ ...sent, path: sent.path.replaceAll('/', '\\') }),
  'the absolute form': (sent) => ({ ...sent, path: `http://127.0.0.1${sent.path}` }),
  'the absolute form of another host': (sent) => ({ ...sent, path: `http://evil.example${sent.path}` }),
  'a fragment': (sent) => ({ ...sent, path: `/livez#${sent.path}` }),
  'another method by header': (sent) => ({
    ...sent,
    headers: { 'x-http-method-override': 'GET', 'x-method': 'GET' },
  }),
  'another address by header': (sent) => ({
    ...sent,
    headers: { 'x-original-url': '/livez', 'x-rewrite-url': '/livez', 'x-forwarded-prefix': '/docs' },
  }),
  HEAD: (sent) => ({ ...sent, method: 'HEAD' }),
  OPTIONS: (sent) => ({ ...sent, method: 'OPTIONS' }),
  TRACE: (sent) => ({ ...sent, method: 'TRACE' }),
  PROPFIND: (sent) => ({ ...sent, method: 'PROPFIND' }),
};

describe('path confusion', () => {
  let api: TestApi;
  let world: TenancyWorld;
  let stranger: Caller;
  let requests: Sent[];

  beforeAll(async () => {
    api = await anApi();
    world = await aTenancyWorld(api);
    stranger = await aCaller('organization', 'admin', world.foreign, 'a stranger');
    requests = tableOf(api.app).map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return {
        method,
        path: filled(path, thingsOf(world.own, path)),
        body: SAMPLES[route]?.body?.(world.own, stranger),
      };
    });
  });
  afterAll(() => api.close());

  describe.each(Object.keys(DISGUISES))('%s', (name) => {
    const disguise = DISGUISES[name] as (sent: Sent) => Sent;

    it('[K18] opens no route without a key', async () => {
      const opened = await inParallel(requests.map(disguise), async (sent) => {
        const reply = await exchange(api.url, sent);
        return isHarmless(reply) ? [] : [`${sent.method} ${sent.path}: ${reply.status} ${reply.text}`];
      });
      expect(opened.flat()).toEqual([]);
    });

    it('[K18] shows no stranger anything', async () => {
      const opened = await inParallel(requests.map(disguise), async (sent) => {
        const reply = await exchange(api.url, { ...sent, key: stranger.key });
        const told = leaks(world, { caller: stranger }, reply);
        // Where no id is in the address, a stranger may be answered: with what is his own. What lacks a parameter
        // that the route needs is refused for that, whoever asks.
        // An id of LangSmith's in an address names nothing of ours, and nobody's.
        const namesOurs = WITH_AN_ID.test(sent.path) && !sent.path.includes('/langsmith/');
        const mayAnswer = isHarmless(reply) || reply.status === 400 || !namesOurs;
        return mayAnswer ? told : [...told, `${sent.method} ${sent.path}: ${reply.status} ${reply.text}`];
      });
      expect(opened.flat()).toEqual([]);
    });
  });

  it('[K18] bytes that are not quite HTTP open nothing', async () => {
    const path = `/v1/runs/${world.own.run.id}`;
    const key = `Authorization: Bearer ${stranger.key}`;
    for (const head of [
      [`GET ${path} HTTP/1.1`, 'Host: x'],
      [`GET ${path} HTTP/1.1`, 'Host: x', key],
      [`GET ${path} HTTP/1.0`, key],
      [`GET ${path}`, key],
      [`GET\t${path}\tHTTP/1.1`, 'Host: x', key],
      [`get ${path} HTTP/1.1`, 'Host: x', key],
      [`GET /livez HTTP/1.1`, 'Host: x', '', `GET ${path} HTTP/1.1`, 'Host: x', key],
      [
        `GET /livez HTTP/1.1`,
        'Host: x',
        'Content-Length: 4',
        'Transfer-Encoding: chunked',
        key,
        '',
        '0',
        '',
        `GET ${path} HTTP/1.1`,
      ],
      [
        `GET ${path} HTTP/1.1`,
        'Host: x',
        'Authorization:',
        ` Bearer ${api.adminKey}`,
        `X-API-Key: ${stranger.key}`,
      ],
      [`CONNECT ${path} HTTP/1.1`, 'Host: x', key],
      [`OPTIONS * HTTP/1.1`, 'Host: x', key],
      [`GET * HTTP/1.1`, 'Host: x', key],
    ]) {
      const answer = await rawExchange(api.url, head);
      expect([0, 200, 400, 401, 404, 405]).toContain(statusOf(answer));
      expect(answer.includes(world.own.agentId)).toBe(false);
    }
  });
});

const WITH_AN_ID = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Refused, not even HTTP, or the public page that it began with. */
function isHarmless({ status, text }: Reply): boolean {
  if (status === 400) return text.includes('This is not HTTP.');
  return [401, 404, 405].includes(status) || text === '{"live":true}';
}
