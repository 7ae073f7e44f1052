import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { TYPES, itemText, verdictsAmongOthers, type Verdict } from '../support/item-texts.js';

type Members = Record<string, unknown>;

/** A value that a member with this schema does not take. */
function wrong(schema: Members): string | undefined {
  if (schema['x-json'] === 'opaque') return undefined;
  if (schema['x-json'] === 'structured') return '[]';
  if (schema['x-json'] === 'cost') return '-1';
  if (schema['enum'] !== undefined || schema['format'] !== undefined || schema['const'] !== undefined)
    return '"???"';
  if (Array.isArray(schema['type']) || schema['type'] === 'string') return '{"$ne":null}';
  return '"1.5"';
}

describe('items, each by itself', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const verdictsOn = (...texts: string[]): Promise<Verdict[]> => verdictsAmongOthers(api.admin, ...texts);
  async function expectRefused(text: string, pointer: string): Promise<void> {
    const [verdict] = await verdictsOn(text);
    expect([text.slice(0, 300), verdict]).toEqual([
      text.slice(0, 300),
      { verdict: 'rejected', code: 'invalid_request', pointer, detail: expect.any(String) },
    ]);
  }

  it.each(TYPES)(
    '%s: each member of another kind, each that is missing, and an unknown one are pointed at',
    async (type) => {
      expect((await verdictsOn(itemText(type)))[0]?.verdict).not.toBe('rejected');
      const { properties, required } = INGEST_ITEM_SCHEMAS[type];
      for (const name of required) await expectRefused(itemText(type, {}, name), `/${name}`);
      for (const [name, schema] of Object.entries(properties)) {
        const value = wrong(schema);
        if (value !== undefined) await expectRefused(itemText(type, { [name]: value }), `/${name}`);
        if (schema['x-json'] === undefined && !Array.isArray(schema['type'])) {
          await expectRefused(itemText(type, { [name]: 'null' }), `/${name}`);
        }
        const { maxLength } = schema as { maxLength?: number };
        if (maxLength !== undefined && maxLength < 100_000) {
          const whole = itemText(type, { [name]: JSON.stringify('é'.repeat(maxLength)) });
          expect((await verdictsOn(whole))[0]?.verdict).not.toBe('rejected');
          await expectRefused(
            itemText(type, { [name]: JSON.stringify('é'.repeat(maxLength + 1)) }),
            `/${name}`,
          );
        }
      }
      for (const name of ['unknown', 'constructor', 'toString', 'tenant_id', 'a/b~c']) {
        await expectRefused(
          itemText(type, { [name]: '1' }),
          `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        );
      }
    },
  );

  it.each([
    '1',
    'null',
    '"x"',
    '[]',
    'true',
    '[{}]',
    '{}',
    '{"type":"unknown"}',
    '{"type":{}}',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
  ])('What is no item is refused by itself: %s', async (text) => {
    expect((await verdictsOn(text))[0]).toMatchObject({ verdict: 'rejected', code: 'invalid_request' });
  });

  it('[V9] A member called __proto__ is no member of any item, and changes nothing', async () => {
    for (const type of TYPES) {
      const [verdict] = await verdictsOn(
        itemText(type, { ['__proto__']: '{"x":1}' }).replace(/}$/, ',"__proto__":{"x":1}}'),
      );
      expect(verdict?.verdict).toBe('rejected');
    }
    expect(({} as Members)['x']).toBeUndefined();
  });

  it('A member whose name is too long to be repeated is pointed at by what it is in', async () => {
    for (const type of TYPES) {
      await expectRefused(itemText(type, { ['x'.repeat(127)]: '1' }), `/${'x'.repeat(127)}`);
      await expectRefused(itemText(type, { ['x'.repeat(128)]: '1' }), '');
      await expectRefused(itemText(type, { ['é'.repeat(4_000)]: '1' }), '');
    }
    await expectRefused(
      itemText('run.started', {
        agent: JSON.stringify({ name: 'a', adapter: 'custom', ['x'.repeat(4_000)]: 1 }),
      }),
      '/agent',
    );
  });

  it('[F9] A member that is there twice is refused', async () => {
    const text = itemText('run.finished', {}).replace(/}$/, ',"status":"failed"}');
    expect((await verdictsOn(text))[0]?.verdict).toBe('rejected');
  });

  it('Times that are none, and ids of ours that are none, are pointed at', async () => {
    for (const time of ['2026-02-30T00:00:00Z', '2026-02-03', '2026-02-03T08:00:00', '1770105600', '']) {
      await expectRefused(itemText('message', { at: JSON.stringify(time) }), '/at');
    }
    for (const id of ['', 'x', `${randomUUID()}0`, "'; DROP TABLE runs; --"]) {
      await expectRefused(itemText('message', { id: JSON.stringify(id) }), '/id');
    }
  });
});
