import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { jsonTexts, meaningOf } from '../support/doors/json-texts.js';
import { everyOpening } from '../support/doors/openings.js';
import { EFFORT } from '../support/effort.js';
import { aRunStart, at } from '../support/items.js';

type Members = Record<string, unknown>;
type Verdict = { verdict: string; code?: string; pointer?: string; detail?: string };

/** What each type needs beside what all do. */
const NEEDED: Record<string, Members> = {
  'run.started': { agent: { name: 'items', adapter: 'custom' } },
  'run.moved': { status: 'running' },
  'run.finished': { status: 'succeeded' },
  'step.started': { node: 'n' },
  message: { role: 'user' },
  'tool_call.started': { name: 't' },
  checkpoint: { state: 1 },
};
const TYPES = Object.keys(INGEST_ITEM_SCHEMAS) as (keyof typeof INGEST_ITEM_SCHEMAS)[];

/** A whole item of a type, as JSON; members that are given are texts of JSON. */
function textOf(type: string, members: Record<string, string> = {}, without?: string): string {
  const whole: Members = { type, run_id: randomUUID(), at: at(1), ...NEEDED[type] };
  if (!type.startsWith('run.')) whole['id'] = randomUUID();
  const all = {
    ...Object.fromEntries(Object.entries(whole).map(([k, v]) => [k, JSON.stringify(v)])),
    ...members,
  };
  const kept = Object.entries(all).filter(([name]) => name !== without);
  return `{${kept.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

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

  /** Between two items that are whole, and have to be kept whatever stands between them. */
  async function verdictsOn(...texts: string[]): Promise<Verdict[]> {
    const [before, after] = [textOf('message'), textOf('checkpoint')];
    const { status, text, body } = await api.admin.post(
      '/v1/ingest',
      `[${[before, ...texts, after].join(',')}]`,
    );
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    const [first, ...rest] = body.results as Verdict[];
    expect([first?.verdict, rest.pop()?.verdict]).toEqual(['created', 'created']);
    return rest;
  }
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
      expect((await verdictsOn(textOf(type)))[0]?.verdict).not.toBe('rejected');
      const { properties, required } = INGEST_ITEM_SCHEMAS[type];
      for (const name of required) await expectRefused(textOf(type, {}, name), `/${name}`);
      for (const [name, schema] of Object.entries(properties)) {
        const value = wrong(schema);
        if (value !== undefined) await expectRefused(textOf(type, { [name]: value }), `/${name}`);
        if (schema['x-json'] === undefined && !Array.isArray(schema['type'])) {
          await expectRefused(textOf(type, { [name]: 'null' }), `/${name}`);
        }
        const { maxLength } = schema as { maxLength?: number };
        if (maxLength !== undefined && maxLength < 100_000) {
          const whole = textOf(type, { [name]: JSON.stringify('é'.repeat(maxLength)) });
          expect((await verdictsOn(whole))[0]?.verdict).not.toBe('rejected');
          await expectRefused(
            textOf(type, { [name]: JSON.stringify('é'.repeat(maxLength + 1)) }),
            `/${name}`,
          );
        }
      }
      for (const name of ['unknown', 'constructor', 'toString', 'tenant_id', 'a/b~c']) {
        await expectRefused(
          textOf(type, { [name]: '1' }),
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
        textOf(type, { ['__proto__']: '{"x":1}' }).replace(/}$/, ',"__proto__":{"x":1}}'),
      );
      expect(verdict?.verdict).toBe('rejected');
    }
    expect(({} as Members)['x']).toBeUndefined();
  });

  it('[F9] A member that is there twice is refused', async () => {
    const text = textOf('run.finished', {}).replace(/}$/, ',"status":"failed"}');
    expect((await verdictsOn(text))[0]?.verdict).toBe('rejected');
  });

  it('Times that are none, and ids of ours that are none, are pointed at', async () => {
    for (const time of ['2026-02-30T00:00:00Z', '2026-02-03', '2026-02-03T08:00:00', '1770105600', '']) {
      await expectRefused(textOf('message', { at: JSON.stringify(time) }), '/at');
    }
    for (const id of ['', 'x', `${randomUUID()}0`, "'; DROP TABLE runs; --"]) {
      await expectRefused(textOf('message', { id: JSON.stringify(id) }), '/id');
    }
  });

  it('[F1] [F4] Payloads come back as they were sent, digit for digit', async () => {
    const arrives = async (raw: string): Promise<void> => {
      const [run, step] = [randomUUID(), randomUUID()];
      const ids = { run_id: JSON.stringify(run) };
      const texts = [
        textOf('run.started', { ...ids, input: raw }),
        textOf('step.started', { ...ids, id: JSON.stringify(step), input: raw, output: raw }),
        textOf('tool_call.started', { ...ids, arguments: raw }),
        textOf('message', { ...ids, extra: raw }),
        textOf('checkpoint', { ...ids, state: raw }),
      ];
      expect((await verdictsOn(...texts)).map(({ verdict }) => verdict)).toEqual(Array(5).fill('created'));
      const [again] = await verdictsOn(texts[1] as string);
      expect(again?.verdict).toBe('duplicate');
      const { body } = await api.admin.get(`/v1/runs/${run}?include=steps,messages,tool_calls`);
      const { state } = (await api.admin.get(`/v1/runs/${run}/checkpoints/0`)).body;
      const { input, output } = body.steps.data[0];
      const payloads = [
        body.input,
        input,
        output,
        body.tool_calls.data[0].arguments,
        body.messages.data[0].extra,
        state,
      ];
      for (const payload of payloads) expect(meaningOf(JSON.stringify(payload))).toBe(meaningOf(raw));
      if (!raw.startsWith('"'))
        expect((await api.admin.get(`/v1/runs/${run}`)).text).toContain(`"input":${raw.trim()}`);
    };
    await fc.assert(fc.asyncProperty(jsonTexts(), arrives), { numRuns: 15 * EFFORT, endOnFailure: true });
  }, 60_000);

  it.each([
    ['[F2] NUL', '"\\u0000"', '/input'],
    ['[F2] NUL in a name', '{"\\u0000":1}', '/input'],
    ['[F3] half a pair', '["\\ud800"]', '/input/0'],
    ['[F3] a pair in reverse', '{"a":"\\udc00\\ud800"}', '/input/a'],
    ['[F5] a number out of range', '[1,1e400]', '/input/1'],
    ['[F7] more levels than 64', '['.repeat(65) + ']'.repeat(65), undefined],
    ['[F7] a thousand levels', '['.repeat(990) + ']'.repeat(990), undefined],
  ])('%s in a payload refuses its item, by pointer, and nothing else', async (_what, payload, pointer) => {
    for (const type of ['run.started', 'step.started']) {
      const [verdict] = await verdictsOn(textOf(type, { input: payload }));
      expect([verdict?.verdict, verdict?.code]).toEqual(['rejected', 'invalid_request']);
      if (pointer !== undefined) expect(verdict?.pointer).toContain(pointer.slice(0, 6));
    }
  });

  it('[F7] A hundred thousand levels are no JSON that is read: the batch is refused, at once', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const answer = await api.admin.post('/v1/ingest', `[${textOf('step.started', { input: deep })}]`);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    const lines = await api.admin.post(
      '/v1/ingest',
      `${textOf('message', { extra: deep })}\n${textOf('message')}`,
      {
        'content-type': 'application/x-ndjson',
      },
    );
    expect(lines.body.results.map(({ verdict }: Verdict) => verdict)).toEqual(['rejected', 'created']);
  });

  it('[F7] 64 levels are kept', async () => {
    const deep = '['.repeat(64) + ']'.repeat(64);
    expect((await verdictsOn(textOf('step.started', { input: deep })))[0]?.verdict).toBe('created');
  });

  it('[F10] Sums of money and tokens are exact', async () => {
    const run = randomUUID();
    const steps = Array.from({ length: 1_000 }, () =>
      textOf('step.started', {
        run_id: `"${run}"`,
        cost_usd: '0.0000000123',
        tokens_in: String(2 ** 53 - 1),
      }),
    );
    await verdictsOn(JSON.stringify(aRunStart(run)), ...steps);
    const { text } = await api.admin.get(`/v1/runs/${run}`);
    expect(text).toContain(String(1_000n * (2n ** 53n - 1n)));
    expect(text).toMatch(/"cost_usd":"?0\.0000123/);
  });

  it('[F8] After all of this every run can be listed and opened', async () => {
    expect(await everyOpening(api)).toEqual([]);
  }, 60_000);
});
