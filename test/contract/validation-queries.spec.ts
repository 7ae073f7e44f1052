import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { doorsOf, type Door } from '../support/doors/doors.js';
import { aPathOf, type PathOf } from '../support/doors/paths.js';
import { offenceOf } from '../support/doors/refusals.js';
import { aSample, clientFor } from '../support/doors/samples.js';
import { everythingStored } from '../support/doors/stored.js';
import { wrongTexts } from '../support/doors/wrong-values.js';

/** Text that is not what it seems, or no text at all. */
const ENCODED = ['%zz', '%', '%ff', '%c0%80', '%ed%a0%80', '%00', 'a%00b'];

describe('queries of every door that the api describes', () => {
  let api: TestApi;
  let doors: Door[];
  let pathOf: PathOf;
  beforeAll(async () => {
    api = await anApi();
    doors = await doorsOf(api.url);
    pathOf = await aPathOf(api);
  });
  afterAll(() => api.close());

  /** Asks every door with every query; tells which answers were no proper refusal. */
  async function offences(
    queriesOf: (door: Door) => readonly [query: string, at: string][],
  ): Promise<string[]> {
    const before = await everythingStored(api.database);
    const found: string[] = [];
    for (const door of doors) {
      for (const [query, at] of queriesOf(door)) {
        const answer = await clientFor(api, door).call(door.method, `${pathOf(door)}?${query}`);
        const offence = offenceOf(answer, at);
        if (offence) found.push(`${door.id} ${query.slice(0, 120)}: ${offence}`);
      }
    }
    expect(await everythingStored(api.database)).toEqual(before);
    return found;
  }
  const refused = async (queriesOf: Parameters<typeof offences>[0]): Promise<void> =>
    expect(await offences(queriesOf)).toEqual([]);

  it(
    '[V7] [V10] [V11] [V13] [R6] A wrong value for any parameter is refused, and none is guessed',
    () =>
      refused(
        ({ queries }) =>
          queries.flatMap(({ name, schema }) =>
            wrongTexts(schema).map((text) => [`${name}=${encodeURIComponent(text)}`, `?${name}`] as const),
          ) as [string, string][],
      ),
    60_000,
  );

  it('[F2] [V8] Text that is no percent-encoded UTF-8, or contains NUL, is refused and never taken as it stands', () =>
    refused(({ queries }) =>
      queries.flatMap(({ name }) => ENCODED.map((text): [string, string] => [`${name}=${text}`, `?${name}`])),
    ));

  it('[V14] A parameter that is given twice is refused, also when both agree', () =>
    refused(({ queries }) =>
      queries.flatMap(({ name }): [string, string][] => [
        [`${name}=a&${name}=b`, `?${name}`],
        [`${name}=1&${name}=1`, `?${name}`],
        [`${name}=1&${encodeURIComponent(name).replace(/^./, percent)}=1`, `?${name}`],
      ]),
    ));

  it(
    '[V1] [V2] [V9] A parameter that the door does not know is refused: operators, sorting, offsets, prototypes',
    () =>
      refused(({ queries }) => {
        const operators = queries.flatMap(({ name }) => [
          `${name}[$ne]`,
          `${name}[]`,
          `${name}[in]`,
          `${name}.$gt`,
        ]);
        const sorting = [
          'sort',
          'order_by',
          'sort[0]',
          'offset',
          'page',
          'skip',
          'tenant_id',
          'select',
          'where',
        ];
        const prototypes = [
          '__proto__',
          'constructor',
          'toString',
          '__proto__[x]',
          'constructor.prototype.x',
          '',
        ];
        return [...operators, ...sorting, ...prototypes].map((name): [string, string] => [
          `${encodeURIComponent(name)}=x`,
          `?${name}`,
        ]);
      }),
    60_000,
  );

  it('[V1] Only the two directions that are documented sort anything', () =>
    refused(({ queries }) =>
      queries.some(({ name }) => name === 'order')
        ? ['name;--', '(select pg_sleep(3))', 'name ASC, id', 'ASC', 'constructor', '["asc"]', 'asc '].map(
            (text): [string, string] => [`order=${encodeURIComponent(text)}`, '?order'],
          )
        : [],
    ));

  it('[V14] A door that takes a body takes no parameter instead, and no body where it declares none', async () => {
    const found: string[] = [];
    for (const door of doors.filter(({ method }) => method !== 'GET')) {
      const { path, body } = door.hasBody ? await aSample(api, door) : { path: pathOf(door), body: { x: 1 } };
      const query = door.hasBody ? '?x=1' : '';
      const offence = offenceOf(
        await clientFor(api, door).call(door.method, path + query, body),
        door.hasBody ? '?x' : '/x',
      );
      if (offence) found.push(`${door.id}: ${offence}`);
    }
    expect(found).toEqual([]);
  });

  it('[R11] [R12] 1,000 parameters get a short refusal, and a value that is repeated in a list is bound once', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `p${i}=1`).join('&');
    await refused(() => [[many, '?p']]);
    const statuses = Array.from({ length: 600 }, () => 'running').join(',');
    expect((await api.admin.get(`/v1/runs?status=${statuses}`)).status).toBe(200);
  });
});

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
