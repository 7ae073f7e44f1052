import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer } from '../support/client.js';
import { JOURNEYS } from '../support/doors/journeys.js';
import { meaningOf } from '../support/doors/json-texts.js';
import { everyOpening } from '../support/doors/openings.js';

const PAYLOAD_BYTES = 64 * 1024;
const MIB = 1024 * 1024;

/** One payload of each kind, for what every payload is judged by. */
const OPAQUE = ['runs_create /input', 'steps_add /output', 'messages_add /extra', 'checkpoints_add /state'];
const STRUCTURED = ['runs_create /metadata', 'agents_create /config', 'steps_add /token_details'];

describe('payloads at the limits', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({
      AGENTFLOW_MAX_PAYLOAD_BYTES: String(PAYLOAD_BYTES),
      AGENTFLOW_MAX_REQUEST_BYTES: String(2 * MIB),
    });
  });
  afterAll(() => api.close());

  const journey = (name: string) => JOURNEYS[name] as (typeof JOURNEYS)[string];
  const arrival = async (name: string, raw: string): Promise<readonly Answer[]> =>
    (await journey(name).run(api, raw)).answers;
  const refusal = async (name: string, raw: string): Promise<string> => {
    const failure = await journey(name)
      .run(api, raw)
      .then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    return failure.slice(0, 3);
  };
  const nested = (depth: number, open: string, close: string): string =>
    open.repeat(depth) + '1' + close.repeat(depth);

  it('[F7] 64 levels are kept and shown, in arrays and objects and both; one more is refused', async () => {
    for (const name of OPAQUE) {
      for (const raw of [
        nested(32, '[', ']'),
        nested(64, '[', ']'),
        nested(64, '{"a":', '}'),
        nested(32, '[{"a":', '}]'),
      ]) {
        for (const answer of await arrival(name, raw)) expect(answer.text).toContain(raw);
      }
      for (const raw of [nested(65, '[', ']'), nested(65, '{"a":', '}'), `[${nested(32, '[{"a":', '}]')}]`]) {
        expect([name, await refusal(name, raw)]).toEqual([name, '400']);
      }
    }
    for (const name of STRUCTURED) {
      const raw = nested(64, '{"a":', '}');
      for (const answer of await arrival(name, raw)) expect(answer.status).toBeLessThan(300);
      expect([name, await refusal(name, nested(65, '{"a":', '}'))]).toEqual([name, '400']);
    }
  });

  it('[F4] [F5] Numbers keep their digits and their spelling in payloads, and their digits in objects', async () => {
    const numbers = '[9007199254740993,12345678901234567890,-0,1.0,1e308,-1.5E-300,0.1000,1e0]';
    for (const name of OPAQUE) {
      for (const answer of await arrival(name, numbers)) expect(answer.text).toContain(numbers);
    }
    for (const name of STRUCTURED) {
      for (const { text } of await arrival(
        name,
        '{"a":[9007199254740993,12345678901234567890,1.0,0.1000]}',
      )) {
        expect(text).toMatch(/\[9007199254740993, ?12345678901234567890, ?1\.0, ?0\.1000\]/);
      }
    }
  });

  it('[F5] What is answered is at most four times as long as what was sent, whatever numbers are in it', async () => {
    const many = (literal: string, count: number): string => `[${Array(count).fill(literal).join(',')}]`;
    for (const literal of ['1e308', '1e-308', '-1.5E+300']) {
      const raw = many(literal, 9_000 / literal.length);
      for (const name of OPAQUE) {
        for (const { text } of await arrival(name, raw))
          expect(text.length).toBeLessThan(4 * raw.length + 4_096);
      }
      for (const name of STRUCTURED) {
        expect([name, literal, await refusal(name, `{"a":${raw}}`)]).toEqual([name, literal, '400']);
      }
    }
    const wide = many('1e2', 3_000);
    for (const name of STRUCTURED) {
      for (const { text } of await arrival(name, `{"a":${wide}}`)) {
        expect(text.length).toBeLessThan(4 * wide.length + 4_096);
      }
    }
  });

  it('[F9] Of a name that stands twice in a payload the last counts for readers, and both are kept where text is', async () => {
    const raw = '{"a":1,"b":{"c":1,"c":2},"a":2}';
    for (const name of OPAQUE) {
      for (const answer of await arrival(name, raw)) expect(answer.text).toContain(raw);
    }
    for (const { text, body } of await arrival('agents_create /config', raw)) {
      const config = body.config ?? body.data[0].config;
      expect([meaningOf(JSON.stringify(config)), text.includes('"a":1')]).toEqual([
        '{"a":2,"b":{"c":2}}',
        false,
      ]);
    }
  });

  it('[F11] A payload of exactly the limit is kept to the last byte; one byte more is 413 and nothing is cut', async () => {
    const sized = (bytes: number, filler: string): string => {
      const room = bytes - 2 - Buffer.byteLength(filler);
      return `["${'😀'.repeat(Math.floor((room - 2) / 4))}${'x'.repeat((room - 2) % 4)}${filler}"]`;
    };
    for (const filler of ['', 'y', 'é', '漢']) {
      const exact = sized(PAYLOAD_BYTES, filler);
      expect(Buffer.byteLength(exact)).toBe(PAYLOAD_BYTES);
      for (const name of OPAQUE) {
        for (const answer of await arrival(name, exact)) expect(answer.text.includes(exact)).toBe(true);
        expect([name, await refusal(name, `${exact.slice(0, -2)}z"]`)]).toEqual([name, '413']);
        expect([name, await refusal(name, `["${'😀'.repeat(PAYLOAD_BYTES)}"]`)]).toEqual([name, '413']);
      }
    }
  });

  it('[F8] After all of this every run can be listed and opened, with all that belongs to it', async () => {
    expect(await everyOpening(api)).toEqual([]);
  }, 60_000);
});
