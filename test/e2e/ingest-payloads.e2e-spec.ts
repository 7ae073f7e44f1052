import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { itemText, verdictsAmongOthers, type Verdict } from '../support/item-texts.js';
import { jsonTexts, meaningOf } from '../support/doors/json-texts.js';
import { everyOpening } from '../support/doors/openings.js';
import { EFFORT } from '../support/effort.js';
import { aRunStart } from '../support/items.js';

describe('payloads of items', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const verdictsOn = (...texts: string[]): Promise<Verdict[]> => verdictsAmongOthers(api.admin, ...texts);
  it('[F1] [F4] Payloads come back as they were sent, digit for digit', async () => {
    const arrives = async (raw: string): Promise<void> => {
      const [run, step] = [randomUUID(), randomUUID()];
      const ids = { run_id: JSON.stringify(run) };
      const texts = [
        itemText('run.started', { ...ids, input: raw }),
        itemText('step.started', { ...ids, id: JSON.stringify(step), input: raw, output: raw }),
        itemText('tool_call.started', { ...ids, arguments: raw }),
        itemText('message', { ...ids, extra: raw }),
        itemText('checkpoint', { ...ids, state: raw }),
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
      const [verdict] = await verdictsOn(itemText(type, { input: payload }));
      expect([verdict?.verdict, verdict?.code]).toEqual(['rejected', 'invalid_request']);
      if (pointer !== undefined) expect(verdict?.pointer).toContain(pointer.slice(0, 6));
    }
  });

  it('[F7] A hundred thousand levels refuse their item by itself', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const answer = await api.admin.post('/v1/ingest', `[${itemText('step.started', { input: deep })}]`);
    expect([answer.status, answer.body.counts?.rejected]).toEqual([200, 1]);
    const lines = await api.admin.post(
      '/v1/ingest',
      `${itemText('message', { extra: deep })}\n${itemText('message')}`,
      {
        'content-type': 'application/x-ndjson',
      },
    );
    expect(lines.body.results.map(({ verdict }: Verdict) => verdict)).toEqual(['rejected', 'created']);
  });

  it('[F7] 64 levels are kept', async () => {
    const deep = '['.repeat(64) + ']'.repeat(64);
    expect((await verdictsOn(itemText('step.started', { input: deep })))[0]?.verdict).toBe('created');
  });

  it('[F10] Sums of money and tokens are exact', async () => {
    const run = randomUUID();
    const steps = Array.from({ length: 1_100 }, () =>
      itemText('step.started', {
        run_id: `"${run}"`,
        cost_usd: '0.0000000123',
        tokens_in: String(2 ** 53 - 1),
      }),
    );
    await verdictsOn(JSON.stringify(aRunStart(run)), ...steps);
    const { text } = await api.admin.get(`/v1/runs/${run}`);
    expect(text).toContain(String(1_100n * (2n ** 53n - 1n)));
    expect(text).toMatch(/"cost_usd":"?0\.00001353/);
  });

  it('[F8] After all of this every run can be listed and opened', async () => {
    expect(await everyOpening(api)).toEqual([]);
  }, 60_000);
});
