import { AgentFlow, rawJson } from '@agentflow/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anApi, type TestApi } from '../support/api.js';
import { anSdk } from '../support/sdk.js';
import { anAgent } from '../support/things.js';

const BIG = '{"account":12345678901234567890,"exact":0.10}';

describe('payloads through the TypeScript client', () => {
  let api: TestApi;
  let client: AgentFlow;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    client = anSdk(api);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());

  it('[F1] A payload comes back deep-equal, hostile names included', async () => {
    const hostile = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'then',
      '',
      '.',
      '$',
      '🙂',
    ];
    const name = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme' }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        object(name, tie('value')),
      ),
    }));
    const run = await client.runs.start({ agent_id });
    await fc.assert(
      fc.asyncProperty(value, async (state) => {
        const { index } = await run.checkpoint({ state });
        expect((await client.runs.checkpoints.get(run.id, index)).state).toEqual(state);
      }),
      { numRuns: 60 },
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('[F1] Numbers beyond 2^53 go and come digit for digit: as raw JSON there, in the text of the answer back', async () => {
    const run = await client.runs.start({ agent_id, input: rawJson(BIG) });
    const { data, text } = await run.get().withResponse();
    expect(text).toContain(`"input":${BIG}`);
    expect(data.id).toBe(run.id);
  });

  it('[F1] A parser that keeps big numbers is used for every answer, lists included', async () => {
    const run = await client.runs.start({ agent_id });
    await run.step({ node: 'a', input: rawJson(BIG) });
    const keeping = anSdk(api, { parse: parseKeeping });
    for await (const { input } of keeping.runs.steps.list(run.id)) {
      expect(input).toEqual({ account: 12345678901234567890n, exact: 0.1 });
    }
  });

  it('What JSON cannot say is refused by its path before anything is sent', async () => {
    const sent: string[] = [];
    const counting = anSdk(api, { fetch: (url) => Promise.reject(new Error(String(sent.push(url)))) });
    const run = counting.runs.attach('0198c0de-0000-7000-8000-000000000000');
    await expect(run.message({ role: 'user', extra: { at: new Date(0) } })).rejects.toThrow(
      'extra.at is an instance of Date',
    );
    await expect(run.succeed({ output: [1n] })).rejects.toThrow(TypeError);
    await expect(counting.runs.start({ agent_id, input: new Map() })).rejects.toThrow(
      'input is an instance of Map',
    );
    await expect(counting.runs.get('')).rejects.toThrow('"" is not an id');
    await expect(counting.runs.attach('..').get()).rejects.toThrow('".." is not an id');
    expect(sent).toEqual([]);
  });
});

// Text that Postgres holds; the rest is refused by the api, by pointer.
const text = fc.string({ unit: 'grapheme' });
const leaf = fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)); // prettier-ignore

function object<T>(name: fc.Arbitrary<string>, value: fc.Arbitrary<T>): fc.Arbitrary<object> {
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map(withMembers);
}

/** Own members, whatever their names: assignment would set a prototype. */
function withMembers(members: [string, unknown][]): object {
  const descriptors = members.map(([name, value]) => [
    name,
    { value, enumerable: true, writable: true, configurable: true },
  ]);
  return Object.defineProperties({}, Object.fromEntries(descriptors) as PropertyDescriptorMap);
}

/** What JSON.parse does, with whole numbers of 16 digits and more as BigInt; a stand-in for a parser from npm. */
function parseKeeping(json: string): unknown {
  return JSON.parse(json.replaceAll(/:(\d{16,})(?=[,}\]])/g, ':{"$big":"$1"}'), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && '$big' in value ? BigInt(value.$big as string) : value,
  );
}
