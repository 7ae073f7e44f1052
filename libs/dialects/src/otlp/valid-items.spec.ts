import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { encodeJson, normalizeName, parseCost, parseTimestamp, readPayload } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { aSpan, capturedTraces, langfuseSpans } from '../../../../test/support/captured-spans.js';
import type { Item } from '../reported-items.js';
import type { LogRecord } from './log-record.js';
import { mapTrace } from './map-trace.js';
import { INPUTS, OUTPUTS, RESULTS } from './payload-names.js';
import type { AttributeValue, Span } from './span.js';
import { USAGE_ATTRIBUTES } from './usage.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', (text: string) => parseTimestamp(text) === text);
ajv.addFormat('name', (text: string) => 'name' in normalizeName(text));
ajv.addFormat('cost', (text: string) => parseCost(text) === text);
const validators = Object.fromEntries(
  Object.entries(INGEST_ITEM_SCHEMAS).map(([type, schema]) => [type, ajv.compile(schema)]),
);
const faultsOf = (item: Item): unknown => {
  const validate = validators[item.type];
  return validate?.(JSON.parse(encodeJson(item))) === true ? undefined : [item.type, validate?.errors];
};

/** Attributes that the mapping reads, and some that it does not. */
const names = fc.constantFrom(
  ...INPUTS,
  ...OUTPUTS,
  ...RESULTS,
  ...USAGE_ATTRIBUTES,
  ...[
    'gen_ai.agent.name',
    'gen_ai.tool.name',
    'gen_ai.tool.call.id',
    'gen_ai.response.model',
    'gen_ai.provider.name',
  ],
  ...[
    'session.id',
    'user.id',
    'metadata',
    'error.type',
    'tag.tags',
    'langfuse.trace.input',
    'langfuse.trace.name',
  ],
  ...[
    'gen_ai.system_instructions',
    'gen_ai.tool.definitions',
    'ai.prompt.tools',
    'llm.tools.0.tool.json_schema',
  ],
  ...['llm.input_messages.0.message.role', 'llm.input_messages.0.message.content', 'gen_ai.prompt.3.content'],
  ...[
    'llm.output_messages.1.message.tool_calls.0.tool_call.function.name',
    'agentflow.run.id',
    'mastra.span.type',
  ],
  ...['__proto__', 'constructor.prototype.x', '', 'a.b', 'graph.node.id', 'langfuse.observation.level'],
);
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    'ERROR',
    '',
    '{"a":1e400}',
    '12345678901234567890',
    'x'.repeat(300),
    '😀'.repeat(200),
    '\u200b',
  ),
  fc.json({ maxDepth: 3 }),
  fc
    .array(
      fc.record({
        role: fc.constantFrom('user', 'ai', 'x'),
        content: fc.anything({ maxDepth: 2 }),
        parts: fc.anything({ maxDepth: 2 }),
      }),
      { maxLength: 3 },
    )
    .map((list) =>
      JSON.stringify(list, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ),
);
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.tuple(word, word), { maxLength: 3 }).map((members) => new Map(members)),
  },
);
const nanos = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 64n - 1n),
  fc.bigInt({ min: 1_795_966_532_000_000_000n, max: 1_795_966_532_000_000_009n }),
);
const digit = fc.integer({ min: 1, max: 6 }).map((id) => String(id).padStart(16, '0'));
const span: fc.Arbitrary<Span> = fc
  .record({
    spanId: digit,
    parentSpanId: fc.option(digit, { nil: undefined }),
    name: fc.oneof(word, fc.constantFrom('RunnableLambda', 'model_chunk', 'execute_tool x')),
    startedAt: nanos,
    endedAt: nanos,
    operation: fc.constantFrom('chat', 'invoke_agent', 'execute_tool', 'agent_step', 'none'),
    scope: fc.constantFrom('', 'ai', '@mastra/otel-exporter', 'langfuse-sdk', 'openinference.langchain'),
    code: fc.nat(2),
    message: word,
    attributes: fc.dictionary(names, value, { maxKeys: 8 }),
  })
  .map(({ operation, attributes, code, message, ...rest }) =>
    aSpan({
      ...rest,
      status: { code, message },
      attributes: { 'gen_ai.operation.name': operation, ...attributes },
    }),
  );
const log: fc.Arbitrary<LogRecord> = fc.record({
  traceId: fc.constant(aSpan().traceId),
  spanId: digit,
  eventName: fc.constantFrom(
    'gen_ai.choice',
    'gen_ai.tool.message',
    'gen_ai.evaluation.result',
    'gen_ai.client.inference.operation.details',
  ),
  at: nanos,
  body: value,
  attributes: fc
    .dictionary(fc.oneof(names, fc.constantFrom('message', 'content', 'tool_calls')), value, { maxKeys: 3 })
    .map((all) => new Map(Object.entries(all))),
  resource: fc.constant(aSpan().resource),
});

describe('the items of a trace', () => {
  it('Those of captured traces have the form that ingesting asks for', () => {
    for (const spans of [
      ...['aisdk.json', 'aisdk-legacy.json', 'oi-langgraph.json'].flatMap(capturedTraces),
      ...['langfuse-js.otlp.json', 'langfuse-py.otlp.pb'].map(langfuseSpans),
    ]) {
      expect(mapTrace(spans).items.map(faultsOf).filter(Boolean)).toEqual([]);
      expect(mapTrace(spans)).toMatchObject({ refused: [], dropped: 0 });
    }
  });

  it('[V9] [F8] [O9] [O11] Whatever spans and logs say, they have that form, payloads can be stored, and nothing is thrown', () => {
    fc.assert(
      fc.property(
        fc.array(span, { minLength: 1, maxLength: 8 }),
        fc.array(log, { maxLength: 4 }),
        (spans, logs) => {
          const { items, refused } = mapTrace(spans, logs);
          expect(items.map(faultsOf).filter(Boolean)).toEqual([]);
          for (const item of items) {
            expect(
              readPayload(encodeJson(item), 'opaque', { depth: 66, payloadBytes: 2 ** 24 }),
            ).toMatchObject({ ok: true });
          }
          const ids = new Set(spans.map(({ spanId }) => spanId));
          expect(refused.filter(({ id }) => !ids.has(id))).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
