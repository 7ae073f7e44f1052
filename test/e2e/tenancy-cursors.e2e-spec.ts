import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { exchange, inParallel } from '../support/matrix/exchange.js';
import { LISTS } from '../support/matrix/ground-truth.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';
import { filled, parametersOf, thingsOf } from '../support/matrix/targets.js';

const REFUSED = '400 invalid_cursor';

/** Bytes as they go into an address, whatever they are. */
const escaped = (bytes: Buffer): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('cursors', () => {
  let api: TestApi;
  let world: TenancyWorld;
  let admin: Caller;

  beforeAll(async () => {
    api = await anApi();
    world = await aTenancyWorld(api);
    await api.admin.post(`/v1/agents/${world.own.agentId}/tool-calls`, { name: 'search' });
    admin = await aCaller('organization', 'admin', world.own);
  });
  afterAll(() => api.close());

  const pathOf = (list: string): string => filled(list, thingsOf(world.own, list));

  /** What comes of a list asked with such a query: the status, and the code of a refusal. */
  async function outcome(path: string, query: string, { key } = admin): Promise<string> {
    const { status, text } = await exchange(api.url, { method: 'GET', path: `${path}?${query}`, key });
    return status === 200 ? '200' : `${status} ${JSON.parse(text).code}`;
  }

  async function cursorOf(list: string, caller = admin, query = ''): Promise<string> {
    const { next_cursor } = (await api.as(caller.key).get(`${pathOf(list)}?limit=1${query}`)).body;
    expect(typeof next_cursor).toBe('string');
    return next_cursor;
  }

  describe.each(Object.keys(LISTS))('GET %s', (list) => {
    it('[T12] goes on with its own cursor, at any limit', async () => {
      const cursor = await cursorOf(list);
      for (const limit of [1, 7, 200]) {
        expect(await outcome(pathOf(list), `limit=${limit}&cursor=${cursor}`)).toBe('200');
      }
    });

    it('[T12] refuses the cursor of every other list and of every other parent', async () => {
      const others = Object.keys(LISTS).filter((other) => other !== list);
      const cursors = await Promise.all(others.map((other) => cursorOf(other)));
      if (parametersOf(list).length > 0) {
        const path = filled(list, thingsOf(world.siblingAgent, list));
        cursors.push((await api.admin.get(`${path}?limit=1`)).body.next_cursor ?? '');
      }
      for (const cursor of cursors) expect(await outcome(pathOf(list), `cursor=${cursor}`)).toBe(REFUSED);
    });

    it("[T12] refuses another scope's cursor, wider or narrower, of this organization or another", async () => {
      const others = [
        await aCaller('project', 'admin', world.own),
        await aCaller('agent', 'admin', world.own),
        await aCaller('organization', 'admin', world.foreign),
      ];
      const cursor = await cursorOf(list);
      for (const other of others) {
        const isSeen = (await outcome(pathOf(list), 'limit=1', other)) === '200';
        if (isSeen) expect(await outcome(pathOf(list), `cursor=${cursor}`, other)).toBe(REFUSED);
        const path = filled(list, thingsOf(other.home, list));
        const theirs = (await api.as(other.key).get(`${path}?limit=1`)).body.next_cursor;
        if (typeof theirs === 'string') expect(await outcome(pathOf(list), `cursor=${theirs}`)).toBe(REFUSED);
      }
    });

    it('[T12] refuses its own cursor with any bit of any byte changed', async () => {
      const cursor = Buffer.from(await cursorOf(list));
      const bits = list === '/v1/runs' ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 4, 7];
      const changes = [...cursor.keys()].flatMap((at) => bits.map((bit) => ({ at, bit })));
      const surprises = await inParallel(changes, async ({ at, bit }) => {
        const bytes = Buffer.from(cursor);
        bytes[at] = (bytes[at] as number) ^ (1 << bit);
        // With the highest bit it is not even text.
        const expected = bit === 7 ? '400 invalid_request' : REFUSED;
        const answer = await outcome(pathOf(list), `cursor=${escaped(bytes)}`);
        return answer === expected ? [] : [`bit ${bit} of byte ${at}: ${answer}`];
      });
      expect(surprises.flat()).toEqual([]);
    });
  });

  it('[T12] refuses a cursor under another filter or another order', async () => {
    const runs = await cursorOf('/v1/runs', admin, '&adapter=changed');
    for (const filter of [
      '',
      '&adapter=custom',
      '&adapter=changed&status=running',
      `&agent_id=${world.own.agentId}`,
    ]) {
      expect(await outcome('/v1/runs', `cursor=${runs}${filter}`)).toBe(REFUSED);
    }
    expect(await outcome('/v1/runs', `adapter=changed&cursor=${runs}`)).toBe('200');
    const steps = await cursorOf('/v1/runs/:run_id/steps');
    expect(await outcome(pathOf('/v1/runs/:run_id/steps'), `order=desc&cursor=${steps}`)).toBe(REFUSED);
  });
});
