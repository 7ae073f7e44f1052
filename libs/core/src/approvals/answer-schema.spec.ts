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
  it('is taken when it can be compiled', () => {
    for (const schema of [{}, { type: 'object', properties: { a: { type: 'number' } } }, { enum: [1, null] }])
      expect(faultOfSchema(json(schema))).toBeUndefined();
  });

  it('is taken with the name of its draft', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(faultOfSchema(json({ $schema, type: 'string' }))).toBeUndefined();
    expect(faultsOfAnswer(json({ $schema, type: 'string' }), json(1))).toHaveLength(1);
  });

  it('is refused when it is none, refers to something elsewhere, or would answer later', () => {
    const refused = [
      { type: 'text' },
      { properties: 1 },
      { $ref: 'https://example.com/schema' },
      { $ref: '#/$defs/none' },
      { pattern: '(' },
      { $async: true, type: 'string' },
    ];
    for (const schema of refused)
      expect([schema, faultOfSchema(json(schema))]).toEqual([schema, expect.any(String)]);
  });

  it('tells where an answer is at fault', () => {
    const schema = json({
      type: 'object',
      required: ['a'],
      properties: { a: { items: { type: 'number' } } },
    });
    expect(faultsOfAnswer(schema, json({ a: [1, 'x'] }))).toEqual([
      { pointer: '/a/1', detail: 'must be number' },
    ]);
    expect(faultsOfAnswer(schema, json({}))[0]?.pointer).toBe('');
    expect(faultsOfAnswer(schema, json({ a: [1] }))).toEqual([]);
  });

  it('does not keep the process busy, whatever it asks for', () => {
    const tooLong = [{ pointer: '', detail: 'takes too long to be held against the schema' }];
    expect(faultsOfAnswer(json(doubling), json('x'))).toEqual(tooLong);
    expect(faultsOfAnswer(json({ pattern: '^(a+)+$' }), json(`${'a'.repeat(40)}b`))).toEqual(tooLong);
  });
});
