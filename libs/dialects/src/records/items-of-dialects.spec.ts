import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { encodeJson, normalizeName, parseId, parseTimestamp } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { mapLangfuse } from '../langfuse/map-langfuse.js';
import { decodeLangfuseBatch } from '../langfuse/record.js';
import { mapOpenai } from '../openai-agents/map-openai.js';
import { decodeOpenaiTraces } from '../openai-agents/record.js';
import type { Item, MappedRun } from '../reported-items.js';
import { decodeLangsmithBatch } from '../langsmith/decode-batch.js';
import { decodeLangsmithMultipart } from '../langsmith/decode-multipart.js';
import { mapLangsmith } from '../langsmith/map-langsmith.js';

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
  readFileSync(new URL(`../../../../test/fixtures/drop-in/${file}`, import.meta.url));
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
      { numRuns: 15 },
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
      { numRuns: 25 },
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

describe('records that mean no good', () => {
  const ID = '01a227e7-f3ca-74d0-b648-57097642999c';
  const word = fc.constantFrom(
    ...[
      '__proto__',
      'constructor',
      'toString',
      'messages',
      'generations',
      'message',
      'kwargs',
      'output',
      'usage',
      'data',
    ],
    ...[
      'id',
      'type',
      'role',
      'tool',
      'llm',
      'chain',
      'human',
      'ai',
      'content',
      'tool_calls',
      'usage_metadata',
      'metadata',
    ],
    ...[
      'input_tokens',
      'extra',
      'text',
      'name',
      '',
      '\u202e',
      'x'.repeat(300),
      '🎉'.repeat(200),
      ID,
      '1795965842424',
    ],
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      word,
      fc.constantFrom(null, true, 0, -1, 1.5, 9_007_199_254_740_991, 1e300, 1795965842424),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(word, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  }));
  /** An object whose members of these names are mostly what they should be, and now and then anything. */
  const recordOf = (names: Record<string, readonly unknown[]>) =>
    fc.record(
      Object.fromEntries(
        Object.entries(names).map(([name, good]) => [
          name,
          fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: value }),
        ]),
      ),
    );
  const said = recordOf({
    type: ['human', 'ai', 'tool'],
    content: ['x', ''],
    tool_calls: [null, [{}]],
    tool_call_id: ['c'],
  });
  const saying = fc.record({ messages: fc.array(said, { maxLength: 3 }) });
  const usage = {
    input_tokens: 1,
    output_tokens: 2,
    input: 1,
    output: 2,
    input_token_details: { cache_read: 1 },
  };
  const moments = ['2026-11-29T15:24:02.37', 1795965842424];

  const expectItems = (mapped: MappedRun): void => {
    for (const item of mapped.items) expect(faultsOf(item)).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  };

  it('LangSmith’s: whatever stands in them, the items that they come to can be ingested', () => {
    const CHILD = ID.replace('999c', '999d');
    const run = recordOf({
      ...{
        id: [ID, CHILD],
        trace_id: [ID],
        parent_run_id: [ID, CHILD],
        name: ['n'],
        run_type: ['llm', 'tool', 'chain'],
      },
      ...{
        start_time: moments,
        end_time: moments,
        error: ['e', null],
        tags: [['t']],
      },
      ...{ serialized: [{}], session_name: ['s'], dotted_order: [`20261129T152402379001Z${ID}`] },
    });
    const payloads = recordOf({
      inputs: [{}],
      outputs: [{ usage_metadata: usage }, { generations: [[{ message: { usage_metadata: usage } }]] }],
      extra: [{ metadata: { session_id: 's' } }],
    });
    const talk = fc.record({ inputs: saying, outputs: saying });
    const whole = fc.tuple(run, fc.oneof(payloads, talk)).map(([one, more]) => ({ ...one, ...more }));
    const batch = fc.record({
      post: fc.array(whole, { maxLength: 4 }),
      patch: fc.array(whole, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(batch, (body) => {
        const reading = decodeLangsmithBatch(JSON.stringify(body));
        const records = reading.ok ? reading.records.filter(({ traceId }) => traceId === ID) : [];
        if (records.length > 0) expectItems(mapLangsmith(records));
      }),
      { numRuns: 300 },
    );
  });

  it('OpenAI’s: whatever stands in them, the items that they come to can be ingested', () => {
    const types = ['agent', 'generation', 'response', 'function', 'handoff', 'guardrail', 'custom'];
    const data = recordOf({
      type: types,
      name: ['n'],
      input: ['{}'],
      output: ['x'],
      model: ['m'],
      usage: [usage],
      data: [{ sdk_span_type: 'turn', usage }],
    });
    const record = recordOf({
      ...{
        object: ['trace', 'trace.span', 'trace.span'],
        id: ['t', 'a', 'b'],
        trace_id: ['t'],
        parent_id: [null, 'a', 'b'],
      },
      ...{ started_at: moments, ended_at: moments, error: [null, {}], workflow_name: ['w'], group_id: ['g'] },
    });
    const spans = fc.tuple(record, data).map(([one, span_data]) => ({ ...one, span_data }));
    fc.assert(
      fc.property(fc.array(spans, { maxLength: 6 }), (all) => {
        const reading = decodeOpenaiTraces(JSON.stringify({ data: all }));
        const records = reading.ok ? reading.records.filter(({ traceId }) => traceId === 't') : [];
        if (records.length > 0) expectItems(mapOpenai(records));
      }),
      { numRuns: 300 },
    );
  });

  it('Langfuse’s: whatever stands in them, the items that they come to can be ingested', () => {
    const types = [
      'trace-create',
      'span-create',
      'generation-update',
      'tool-create',
      'observation-update',
      'score-create',
    ];
    const body = recordOf({
      ...{
        id: ['t', 'a', 'b'],
        traceId: ['t'],
        parentObservationId: [null, 'a', 'b'],
        name: ['n'],
        level: ['ERROR'],
      },
      ...{
        startTime: moments,
        endTime: moments,
        usage: [usage],
        metadata: [{ sdk_span_type: 'turn', usage }],
        input: [{}],
        output: [{}],
        tags: [['t']],
      },
      ...{
        statusMessage: ['s'],
        model: ['m'],
        sessionId: ['s'],
        usageDetails: [usage],
        costDetails: [{ total: 1 }],
      },
    });
    const event = fc.record({
      id: word,
      type: fc.constantFrom(...types),
      timestamp: fc.constantFrom(...moments),
      body,
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), (batch) => {
        const reading = decodeLangfuseBatch(JSON.stringify({ batch }));
        const records = reading.ok ? reading.records.filter(({ traceId }) => traceId === 't') : [];
        if (records.length > 0) expectItems(mapLangfuse(records));
      }),
      { numRuns: 300 },
    );
  });
});
