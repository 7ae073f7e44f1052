import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { column, createDataSource, type ColumnTypes } from '@agentflow/database';
import { anEmptyDatabase, connected, type TestDatabase } from '../support/database.js';

type ElementType = ColumnTypes[string];

let database: TestDatabase;
beforeAll(async () => {
  database = await anEmptyDatabase();
});
afterAll(() => database.drop());

/** The elements of a column as Postgres understands them, as text. */
const understood = (type: ElementType, values: readonly (string | number | null)[]): Promise<unknown[]> =>
  connected(database.adminUrl, async (client) => {
    await client.query(`SET timezone = 'UTC'`);
    const text = `SELECT value::text FROM unnest($1::${type}[]) WITH ORDINALITY AS c (value, place) ORDER BY place`;
    const { rows } = await client.query<{ value: unknown }>(text, [column(type, values)]);
    return rows.map(({ value }) => value);
  });

describe('columns of sets of rows', () => {
  it('whole numbers arrive as they are, at both ends of what is held and on either side of every half', async () => {
    const numbers = [
      0,
      1,
      -1,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 32 + 1,
      -(2 ** 32),
      -(2 ** 32) - 1,
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
    ];
    const texts = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
    expect(await understood('bigint', [...numbers, null, ...texts])).toEqual([
      ...numbers.map(String),
      null,
      ...texts,
    ]);
  });

  it('moments arrive with their microseconds, from 1970 to 9999', async () => {
    const moments = [
      '1970-01-01 00:00:00.000001',
      '1999-12-31 23:59:59.999999',
      '2000-01-01 00:00:00',
      '2026-02-03 08:00:00.123456',
      '2285-03-14 15:59:59.999999',
      '2285-03-14 16:00:00.000001',
      '9999-12-31 23:59:59.999999',
    ];
    const canonical = moments.map((moment) => {
      const [date = '', time = ''] = moment.split(' ');
      return `${date}T${time.padEnd(9, '.').padEnd(15, '0')}Z`;
    });
    expect(await understood('timestamptz', [...canonical, null])).toEqual([
      ...moments.map((moment) => `${moment}+00`),
      null,
    ]);
  });

  it('ids arrive as they are, in both cases', async () => {
    const ids = ['01234567-89ab-cdef-fedc-ba9876543210', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    const given = [...ids, ids[0]?.toUpperCase() as string, null];
    expect(await understood('uuid', given)).toEqual([...ids, ids[0], null]);
  });
});

describe('values of statements', () => {
  it('arrive as they are, large ones between small ones, texts and nulls', async () => {
    const large = ['a', 'é', '"'].map((text, i) => text.repeat(10_000 + i));
    const values = [
      column('text', large),
      'ü',
      null,
      column('text', ['b']),
      column('text', [...large, null]),
    ];
    const text = `SELECT $1::text[] AS a, $2::text AS b, $3::text AS c, $4::text[] AS d, $5::text[] AS e`;
    const dataSource = await createDataSource({
      ...{ url: database.adminUrl, size: 1, acquireTimeoutMs: 5_000, applicationName: 'columns' },
    }).initialize();
    try {
      expect(await dataSource.query(text, values)).toEqual([
        { a: large, b: 'ü', c: null, d: ['b'], e: [...large, null] },
      ]);
    } finally {
      await dataSource.destroy();
    }
  });
});
