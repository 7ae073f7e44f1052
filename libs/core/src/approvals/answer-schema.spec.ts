import { RawJson } from '@agentflow/domain';
import { faultOfSchema, faultsOfAnswer } from './answer-schema.js';

const json = (value: unknown): RawJson => RawJson.trusted(JSON.stringify(value));

/** Thirty references, each to the next one twice: a billion ways to the last. */
const doubling = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 31 }, (_, i) => [
      `d${i}`,
      i === 30 ? { type: 'string' } : { allOf: Array(2).fill({ $ref: `#/$defs/d${i + 1}` }) },
    ]),
  ),
};

describe('the schema of an answer', () => {
  it('is taken when it can be compiled', async () => {
    for (const schema of [{}, { type: 'object', properties: { a: { type: 'number' } } }, { enum: [1, null] }])
      expect(await faultOfSchema(json(schema))).toBeUndefined();
  });

  it('is taken with the name of its draft', async () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(await faultOfSchema(json({ $schema, type: 'string' }))).toBeUndefined();
    expect(await faultsOfAnswer(json({ $schema, type: 'string' }), json(1))).toHaveLength(1);
  });

  it('is refused when it is none, refers to something elsewhere, or would answer later', async () => {
    const refused = [
      { type: 'text' },
      { properties: 1 },
      { $ref: 'https://example.com/schema' },
      { $ref: '#/$defs/none' },
      { pattern: '(' },
      { $async: true, type: 'string' },
    ];
    for (const schema of refused)
      expect([schema, await faultOfSchema(json(schema))]).toEqual([schema, expect.any(String)]);
  });

  it('tells where an answer is at fault', async () => {
    const schema = json({
      type: 'object',
      required: ['a'],
      properties: { a: { items: { type: 'number' } } },
    });
    expect(await faultsOfAnswer(schema, json({ a: [1, 'x'] }))).toEqual([
      { pointer: '/a/1', detail: 'must be number' },
    ]);
    expect((await faultsOfAnswer(schema, json({})))[0]?.pointer).toBe('');
    expect(await faultsOfAnswer(schema, json({ a: [1] }))).toEqual([]);
  });

  it('does not keep the process busy, whatever it asks for: other work gets its turn', async () => {
    const tooLong = [{ pointer: '', detail: 'takes too long to be held against the schema' }];
    for (const [schema, answer] of [
      [doubling, 'x'],
      [{ pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`],
    ]) {
      let turns = 0;
      const ticks = setInterval(() => turns++);
      expect(await faultsOfAnswer(json(schema), json(answer))).toEqual(tooLong);
      clearInterval(ticks);
      expect(turns).toBeGreaterThan(10);
    }
  });

  it('is checked in its turn, each with its own answer, when many are at once', async () => {
    const answers = Array.from({ length: 20 }, (_, i) => faultsOfAnswer(json({ minimum: 10 }), json(i)));
    const faults = await Promise.all(answers);
    expect(faults.map(({ length }) => length)).toEqual([...Array(10).fill(1), ...Array(10).fill(0)]);
  });
});
