import { encodeJson } from './json/encode-json.js';
import { RawJson } from './json/raw-json.js';
import { comparePayloads, type MeasuredPayload } from './payload-difference.js';

const NONE: MeasuredPayload = { json: null, size: null, hash: null };
const payload = (text: string): MeasuredPayload => ({
  json: RawJson.trusted(text),
  size: text.length,
  hash: null,
});
const large = (hash: string): MeasuredPayload => ({ json: null, size: 1_000_000, hash });
const compared = (from: MeasuredPayload, to: MeasuredPayload): string =>
  encodeJson(comparePayloads(from, to));

describe('comparePayloads', () => {
  it('says nothing of what means the same', () => {
    expect(comparePayloads(NONE, NONE)).toBeNull();
    expect(comparePayloads(payload('{"a":1,"b":2}'), payload('{ "b": 2.0, "a": 1 }'))).toBeNull();
    expect(comparePayloads(large('x'), large('x'))).toBeNull();
  });

  it('[F1] tells differences by pointer, digit for digit', () => {
    expect(
      compared(
        payload('{"n":12345678901234567890,"gone":1}'),
        payload('{"n":12345678901234567891,"__proto__":2}'),
      ),
    ).toBe(
      '{"changed":{"/n":{"from":12345678901234567890,"to":12345678901234567891}},"removed":{"/gone":1},"added":{"/__proto__":2},"omitted":[],"untold":0}',
    );
  });

  it('tells a payload that is on one side only as a whole, also when it is null', () => {
    expect(comparePayloads(NONE, payload('null'))).toMatchObject({
      added: { '': { text: 'null' } },
      removed: {},
    });
    expect(comparePayloads(payload('[1]'), NONE)).toMatchObject({
      removed: { '': { text: '[1]' } },
      added: {},
    });
  });

  it('measures what is too large to be told, and counts what is too much', () => {
    const text = JSON.stringify('x'.repeat(3_000));
    expect(comparePayloads(payload(`{"a":1,"big":${text}}`), payload('{"a":1,"big":1}'))).toEqual({
      ...{ added: {}, removed: {}, changed: {}, untold: 0 },
      omitted: [{ pointer: '/big', from_size: text.length, to_size: 1 }],
    });
    expect(comparePayloads(large('x'), payload('1'))).toMatchObject({
      omitted: [{ pointer: '', from_size: 1_000_000, to_size: 1 }],
    });
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 80 }, (_, i) => [i, i])));
    const difference = comparePayloads(payload('{}'), payload(many));
    expect([Object.keys(difference?.added ?? {}).length, difference?.untold]).toEqual([50, 30]);
  });
});
