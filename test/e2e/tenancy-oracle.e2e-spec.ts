import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { comparable, exchange, inParallel, type Reply, type Sent } from '../support/matrix/exchange.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';
import { tableOf } from '../support/matrix/route-table.js';
import { SAMPLES } from '../support/matrix/samples.js';
import { deletedThings, filled, parametersOf, thingsOf, type Deleted } from '../support/matrix/targets.js';

/** What is sent, apart from what it is sent to. */
type Manner = Omit<Sent, 'path' | 'key'> & { query?: string };

const CONDITIONS = ['"1"', '"2"', 'W/"2"', '"4711"', '*'];
const MALFORMED = ['x', '%00', '%zz', '%C3%28', '..%2Fme', '*', 'null', '1', 'x'.repeat(300)].concat(
  '00000000-0000-0000-0000-000000000000',
  '0'.repeat(32),
  `{${randomUUID()}}`,
  `${randomUUID()}%20`,
  randomUUID().toUpperCase(),
);

/** An answer without what it says of its connection: some addresses are refused before their body has arrived. */
function apart({ headers, ...reply }: Reply): string {
  return comparable({
    ...reply,
    headers: headers.filter(([name]) => name !== 'connection' && name !== 'keep-alive'),
  });
}

describe('what a caller may not see', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let deleted: Deleted;
  let outsider: Caller;
  let keepers: Caller[];
  let never: Reply;
  let notFound: string;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    deleted = await deletedThings(world);
    outsider = await aCaller('organization', 'admin', world.foreign);
    keepers = [await aCaller('project', 'admin', world.own), await aCaller('agent', 'admin', world.own)];
    never = await exchange(api.url, to({ method: 'GET' }, `/v1/runs/${randomUUID()}`));
    notFound = comparable(never);
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  function to({ query = '', ...manner }: Manner, path: string, { key } = outsider): Sent {
    return { ...manner, path: path + query, key };
  }

  /** Each route that names something, with its method. */
  function routes(): (Manner & { path: string })[] {
    return tableOf(api.app).flatMap((route) => {
      const [method = '', path = ''] = route.split(' ');
      const { body, query } = SAMPLES[route] ?? {};
      const manner = {
        method,
        body: body?.(world.foreign, outsider),
        ...(query === undefined ? {} : { query }),
      };
      return parametersOf(path).length === 0 ? [] : [{ ...manner, path }];
    });
  }

  /** A path of a route to things of the first organization, to some that were deleted there, and to none. */
  function absent(path: string): Record<'foreign' | 'deleted' | 'random', string> {
    const random = Object.fromEntries(
      parametersOf(path).map((name) => [name, /version|index/.test(name) ? '1' : randomUUID()]),
    );
    const former = path.includes(':run_id') ? world.own : deleted.place;
    return {
      foreign: filled(path, thingsOf(world.own, path)),
      deleted: filled(path, {
        ...thingsOf(former, path, deleted.run),
        ...(path.includes(':key_id') ? { key_id: deleted.keyId } : {}),
      }),
      random: filled(path, random),
    };
  }

  /** The requests that were not answered as they have to be, each with its answer. */
  async function oddAnswers(
    requests: readonly Sent[],
    expected: string,
    read: (reply: Reply) => string = comparable,
  ): Promise<string[]> {
    const found = await inParallel(requests, async (sent) => {
      const answer = read(await exchange(api.url, sent));
      return answer === expected
        ? []
        : [`${sent.method} ${sent.path} ${JSON.stringify(sent.headers)}: ${answer}`];
    });
    return found.flat();
  }

  it('[T8] is not there for a conditional request either, whatever its condition', async () => {
    const before = await tableDigests(superuser);
    const requests = routes().flatMap(({ path, ...manner }) =>
      Object.values(absent(path)).flatMap((address) =>
        CONDITIONS.flatMap((tag) =>
          ['if-match', 'if-none-match'].map((name) => to({ ...manner, headers: { [name]: tag } }, address)),
        ),
      ),
    );
    expect(requests.length).toBeGreaterThan(1_000);
    expect(await oddAnswers(requests, notFound)).toEqual([]);
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T8] has the headers of what never was for HEAD, and no body', async () => {
    const requests = routes()
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path, ...manner }) =>
        Object.values(absent(path)).map((address) => to({ ...manner, method: 'HEAD' }, address)),
      );
    const model = await exchange(api.url, to({ method: 'HEAD' }, `/v1/runs/${randomUUID()}`));
    expect([model.status, model.text]).toEqual([404, '']);
    expect(await oddAnswers(requests, comparable(model))).toEqual([]);
  });

  it('[T8] is not told from what never was by any malformed request', async () => {
    const before = await tableDigests(superuser);
    const manners: Omit<Manner, 'method'>[] = [
      { body: '{' },
      { body: '[]' },
      { body: { unknown: true } },
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      { query: '?unknown=1' },
      { query: '?limit=0' },
      { query: '?cursor=x' },
      { headers: { 'if-match': 'x' } },
      { headers: { 'idempotency-key': 'x'.repeat(300) } },
    ];
    const differing = await inParallel(
      routes().flatMap((route) => manners.map((manner) => ({ ...route, ...manner }))),
      async ({ path, ...manner }) => {
        const { foreign, deleted: gone, random } = absent(path);
        const ask = async (address: string): Promise<string> =>
          comparable(await exchange(api.url, to(manner, address)));
        const model = await ask(random);
        return [await ask(foreign), await ask(gone)].every((answer) => answer === model)
          ? []
          : [`${manner.method} ${path} ${JSON.stringify(manner)}`];
      },
    );
    expect(differing.flat()).toEqual([]);
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T8] a malformed id is the same 404 for every route, and in every place of its path', async () => {
    const requests = routes().flatMap(({ path, ...manner }) =>
      parametersOf(path)
        .filter((name) => !/version|index/.test(name))
        .flatMap((name) =>
          MALFORMED.map((id) => to(manner, filled(path, { ...thingsOf(world.foreign, path), [name]: id }))),
        ),
    );
    expect(requests.length).toBeGreaterThan(500);
    expect(await oddAnswers(requests, apart(never), apart)).toEqual([]);
  });

  it("[T8] a deleted run answers 410 to late writes of who saw it, and is the same 404 for everybody else's", async () => {
    const path = `/v1/runs/${deleted.run.id}/messages`;
    const body = { role: 'user', content: 'late' };
    for (const caller of keepers) {
      expect((await exchange(api.url, to({ method: 'POST', body }, path, caller))).status).toBe(410);
    }
    const stranger = await aCaller('agent', 'admin', world.siblingAgent);
    const neighbour = await aCaller('project', 'admin', world.siblingProject);
    const requests = [outsider, stranger, neighbour].map((caller) =>
      to({ method: 'POST', body }, path, caller),
    );
    expect(await oddAnswers(requests, notFound)).toEqual([]);
  });
});
