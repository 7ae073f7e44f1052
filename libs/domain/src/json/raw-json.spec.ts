import { RawJson } from './raw-json.js';

describe('RawJson', () => {
  it('keeps its text and gives the value to those who ask', () => {
    const raw = RawJson.trusted('{"n": 1.0}');
    expect(raw.text).toBe('{"n": 1.0}');
    expect(raw.parse()).toEqual({ n: 1 });
  });

  it('is never rounded in silence by the ordinary serializer', () => {
    expect(() => JSON.stringify({ raw: RawJson.trusted('9007199254740993') })).toThrow(TypeError);
  });
});
