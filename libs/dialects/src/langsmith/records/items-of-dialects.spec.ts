import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { encodeJson, normalizeName, parseId, parseTimestamp } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { mapLangfuse } from '../../langfuse/map-langfuse.js';
import { decodeLangfuseBatch } from '../../langfuse/record.js';
import { mapOpenai } from '../../openai-agents/map-openai.js';
import { decodeOpenaiTraces } from '../../openai-agents/record.js';
import type { Item, MappedRun } from '../../reported-items.js';
import { decodeLangsmithMultipart } from '../decode-multipart.js';
import { mapLangsmith } from '../map-langsmith.js';

/** What `name`s are and what moments look like, beside what JSON Schema knows. */
const ajv = new Ajv2020({ strict: false });
ajv.addFormat('uuid', (text: string) => parseId(text) === text);
ajv.addFormat('date-time', (text: string) => parseTimestamp(text) === text);
ajv.addFormat('name', (text: string) => 'name' in normalizeName(text));
ajv.addFormat('cost', true);

const faultsOf = (item: Item): unknown => {
  const validate = ajv.compile(INGEST_ITEM_SCHEMAS[item.type]);
  return validate(JSON.parse(encodeJson(item))) ? undefined : [item, validate.errors];
};

const bytesOf = (file: string): Buffer =>
  readFileSync(new URL(`../../../../../test/fixtures/drop-in/${file}`, import.meta.url));
const langsmith = (file: string): Capture => {
  const body = bytesOf(file);
  const boundary = body.toString('latin1').slice(2, body.indexOf('\r\n'));
  return captured(decodeLangsmithMultipart(body, boundary), mapLangsmith);
};
/** A run that has ended, in the words of the older Langfuse SDKs. */
const BATCH = [
  'trace-create',
  'span-create',
  'generation-update',
  'generation-create',
  'span-update',
  'tool-create',
].map((type, index) => {
  const observation = type.slice(0, type.indexOf('-'));
  const timestamp = `2026-11-29T15:00:0${index}Z`;
  const own = type === 'trace-create' ? { id: 't', name: 'a' } : { id: observation, traceId: 't' };
  const above = observation === 'span' ? {} : { parentObservationId: 'span' };
  return { id: type, type, timestamp, body: { ...own, ...above, startTime: timestamp, endTime: timestamp } };
});

/** The records of a capture, with the mapping of some of them by their places. */
interface Capture {
  count: number;
  map(places: readonly number[]): MappedRun;
}

function captured<R>(
  reading: { ok: true; records: R[] } | { ok: false; detail: string },
  map: (records: readonly R[]) => MappedRun,
): Capture {
  if (!reading.ok) throw new Error(reading.detail);
  const { records } = reading;
  return { count: records.length, map: (places) => map(places.map((place) => records[place] as R)) };
}

describe.each([
  ['LangSmith from JavaScript', langsmith('langsmith-js.multipart')],
  ['LangSmith from Python', langsmith('langsmith-py.multipart')],
  ['OpenAI Agents', captured(decodeOpenaiTraces(bytesOf('openai-agents-js.json').toString()), mapOpenai)],
  ['Langfuse in batches', captured(decodeLangfuseBatch(JSON.stringify({ batch: BATCH })), mapLangfuse)],
])('the items of %s', (_, { count, map }) => {
  const whole = [...Array(count).keys()];
  const pieces = fc.tuple(
    fc.shuffledSubarray(whole, { minLength: count }),
    fc.array(fc.integer({ min: 1, max: count }), { maxLength: 6 }),
  );
  const keyOf = ({ type, id, run_id: runId }: Item): string => `${type} ${id ?? runId}`;

  it('They have the form that is ingested, whatever part of a trace is known', () => {
    fc.assert(
      fc.property(pieces, ([order, [length = count]]) => {
        for (const item of map(order.slice(0, length)).items) expect(faultsOf(item)).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('They end the same in whatever pieces and order a trace comes, and no piece says what is unsaid later', () => {
    const expected = map(whole);
    fc.assert(
      fc.property(pieces, ([order, lengths]) => {
        const said = new Map<string, Item>();
        for (const length of [...lengths.sort((a, b) => a - b), count]) {
          for (const item of map(order.slice(0, length)).items) said.set(keyOf(item), item);
        }
        expect(said).toEqual(new Map(expected.items.map((item) => [keyOf(item), item])));
        expect(map(order)).toEqual(expected);
        expect(map([...order, ...order])).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('A run is announced when its root is known; before that each item says whose it is', () => {
    for (const place of whole) {
      const { items } = map([place]);
      const isAnnounced = items.some(({ type }) => type === 'run.started');
      for (const item of items)
        expect(item.agent !== undefined).toBe(!isAnnounced || item.type === 'run.started');
    }
  });
});
