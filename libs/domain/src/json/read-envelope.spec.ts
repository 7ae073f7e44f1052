import fc from 'fast-check';
import type { EnvelopeShape } from './envelope-shape.js';
import { isBare } from './bare.js';
import { faultsByItem } from './faults-by-item.js';
import { RawJson } from './raw-json.js';
import { readEnvelope, readEnvelopeList } from './read-envelope.js';

const item: EnvelopeShape = { opaque: new Set(['input', 'output']), structured: new Set(['metadata']) };
const shape: EnvelopeShape = {
  ...item,
  nested: new Map([
    ['agent', item],
    ['items', item],
  ]),
};

const read = (text: string) => readEnvelope(text, shape, { depth: 64, payloadBytes: 1_000, items: 5 });
const valueOf = (text: string) => {
  const reading = read(text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.value;
};
const faultsOf = (text: string) => {
  const reading = read(text);
  return reading.ok ? [] : reading.faults;
};

describe('readEnvelope', () => {
  it('cuts payloads out of the source text and parses the rest', () => {
    const value = valueOf(
      `{ "id" : "x\\n" , "input" :  {"b": 1.0,\n"a":1}  , "n":-1.5e2,"yes":true,"no":null}`,
    );
    expect({ ...value }).toEqual({
      id: 'x\n',
      input: RawJson.trusted('{"b": 1.0,\n"a":1}'),
      n: -150,
      yes: true,
      no: null,
    });
  });

  it('[F1] keeps hostile names, and nothing is polluted by them', () => {
    const payload = '{"__proto__":{"x":1},"constructor":1,"toString":2,"big":107505301260286111,"":3}';
    const value = valueOf(
      `{"input":${payload},"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"other":${payload}}`,
    );
    expect((value['input'] as RawJson).text).toBe(payload);
    expect(Object.keys(value)).toEqual(['input', '__proto__', 'constructor', 'other']);
    expect(isBare(value)).toBe(true);
    expect('toString' in value || 'valueOf' in value).toBe(false);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(value['x']).toBeUndefined();
    expect(Object.getPrototypeOf(value['other'])).toBe(Object.prototype);
  });

  it('[F1] gives every payload back byte for byte', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (input, metadata) => {
        fc.pre(!/\\u(0000|d[89a-f])/i.test(input + metadata) && (input + metadata).length < 900);
        const reading = read(`{"input":${input},"items":[{"output":${input}},{"input" : ${input} }]}`);
        expect(reading.ok).toBe(true);
        const { input: outer, items } = reading.value as { input: RawJson; items: Record<string, RawJson>[] };
        expect([outer.text, items[0]?.['output']?.text, items[1]?.['input']?.text]).toEqual([
          input,
          input,
          input,
        ]);
      }),
    );
  });

  it('reads nested envelopes and lists of them by their own shape', () => {
    const value = valueOf(
      '{"agent":{"input":[1 ],"name":"n"},"items":[{"input":1},{"metadata":{}}, 7, "x", []]}',
    );
    const agent = value['agent'] as Record<string, unknown>;
    const items = value['items'] as Record<string, unknown>[];
    expect(agent['input']).toEqual(RawJson.trusted('[1 ]'));
    expect(items[0]?.['input']).toEqual(RawJson.trusted('1'));
    expect(items[1]?.['metadata']).toEqual(RawJson.trusted('{}'));
    expect(items.slice(2)).toEqual([7, 'x', []]);
    for (const envelope of [agent, items[0], items[1]]) expect(isBare(envelope)).toBe(true);
  });

  it('leaves members of a wrong type to the validation', () => {
    expect({ ...valueOf('{"agent":"x","items":null,"id":[1,{"a":2}]}') }).toEqual({
      agent: 'x',
      items: null,
      id: [1, { a: 2 }],
    });
  });

  it('[F4] never hands out the rounded neighbour of a number', () => {
    const value = valueOf(
      '{"a":9007199254740993,"b":0.10000000000000000001,"c":9007199254740991,"d":0.30000000000000004}',
    );
    expect({ ...value }).toEqual({
      a: RawJson.trusted('9007199254740993'),
      b: RawJson.trusted('0.10000000000000000001'),
      c: 9007199254740991,
      d: 0.30000000000000004,
    });
  });

  it('does not keep the body alive for the sake of a short text in it', () => {
    const value = valueOf(`{"name":"a name of more than thirteen characters"}`);
    expect(value['name']).toBe('a name of more than thirteen characters');
  });

  it.each([
    '[]',
    'null',
    '"x"',
    '1',
    '',
    ' ',
    '\ufeff{}',
    '{} {}',
    '{}x',
    '{"a":1,}',
    '{"a" 1}',
    '{1:1}',
    '{"items":[{}',
  ])('[V6][V8] refuses %j as no object', (text) => {
    expect(faultsOf(text)).toEqual([
      expect.objectContaining({ kind: 'malformed', detail: expect.any(String) }),
    ]);
    expect(read(text)).not.toHaveProperty('value');
  });

  it('[F9] refuses a member named twice, however it is spelled, at any level of envelope', () => {
    expect(faultsOf('{"status":"failed","st\\u0061tus":"succeeded"}')).toEqual([
      { kind: 'duplicate', pointer: '/status', detail: expect.any(String) },
    ]);
    expect(faultsOf('{"items":[{},{"a":1,"a":1}]}')).toMatchObject([{ pointer: '/items/1/a' }]);
    expect(faultsOf('{"input":{"a":1,"a":2}}')).toEqual([]);
  });

  it('[F2][F3] points at what cannot be kept, in names and values of envelopes too', () => {
    expect(faultsOf('{"name":"\\u0000"}')).toMatchObject([{ kind: 'unkeepable', pointer: '/name' }]);
    expect(faultsOf('{"agent":{"x\\u0000":1}}')).toMatchObject([{ kind: 'unkeepable', pointer: '/agent' }]);
    expect(faultsOf('{"tags":["a","\\ud800"]}')).toMatchObject([{ kind: 'unkeepable', pointer: '/tags/1' }]);
  });

  it('collects one fault for each member and still reads the others', () => {
    const reading = read('{"items":[{"input":"\\u0000","id":1},{"input":[1],"n":1e400},{"id":3}],"id":"x"}');
    if (reading.ok) throw new Error('has faults');
    expect(reading.faults.map(({ pointer }) => pointer)).toEqual(['/items/0/input', '/items/1/n']);
    expect([...faultsByItem(reading.faults, '/items').keys()]).toEqual([0, 1]);
    const { items, id } = reading.value as { items: Record<string, unknown>[]; id: string };
    expect(id).toBe('x');
    expect(items.map((each) => ({ ...each }))).toEqual([
      { input: undefined, id: 1 },
      { input: RawJson.trusted('[1]'), n: undefined },
      { id: 3 },
    ]);
  });

  it('[F7] counts depth inside a payload and not the envelope around it', () => {
    const levels = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(faultsOf(`{"items":[{"input":${levels(64)}}]}`)).toEqual([]);
    expect(faultsOf(`{"items":[{"input":${levels(65)}}]}`)).toMatchObject([
      { pointer: `/items/0/input${'/0'.repeat(64)}` },
    ]);
    expect(faultsOf(`{"x":${levels(100_000)}}`)).toMatchObject([{ kind: 'unkeepable' }]);
  });

  it('[F5] refuses exploding numbers where they go to jsonb', () => {
    expect(faultsOf('{"input":[1e308]}')).toEqual([]);
    expect(faultsOf('{"metadata":[1e308]}')).toMatchObject([{ kind: 'unkeepable', pointer: '/metadata' }]);
  });

  it('[R3] gives up on masses: items, members, faults, self-containing shapes', () => {
    expect(faultsOf('{"items":[{},{},{},{},{}]}')).toEqual([]);
    expect(faultsOf('{"items":[{},{},{},{},{},{}]}')).toMatchObject([
      { kind: 'too_large', pointer: '/items' },
    ]);
    const names = Array.from({ length: 1_001 }, (_, i) => `"k${i}":1`).join();
    expect(faultsOf(`{${names}}`)).toMatchObject([{ kind: 'malformed' }]);
    const members = new Map<string, EnvelopeShape>();
    const loop: EnvelopeShape = { nested: members.set('a', { nested: members }) };
    expect(readEnvelope('{"a":'.repeat(50_000), loop).ok).toBe(false);
    const flawed = `{"items":[${Array(10_001).fill('{"a":"\\u0000","b":1e999}').join()}]}`;
    expect(readEnvelope(flawed, shape, { depth: 64, payloadBytes: 10, items: 20_000 })).not.toHaveProperty(
      'value',
    );
  });

  it('[R3] refuses an item that is absurd by itself, however deep or wide it is, and reads the others', () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `"k${i}":{"x":[${i}]}`).join();
    const deep = (levels: number): string => '[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels);
    for (const absurd of [deep(2_000), deep(300_000), `{"input":${deep(300_000)}}`, `{${names}}`]) {
      const list = readEnvelopeList(`[{"a":1},${absurd},{"a":2}]`, shape);
      expect(list.ok && list.items.map(({ ok }) => ok)).toEqual([true, false, true]);
      const reading = read(`{"items":[{"a":1},{"agent":${absurd}},{"a":2}]}`);
      expect(reading).toMatchObject({ ok: false, value: { items: [{ a: 1 }, expect.anything(), { a: 2 }] } });
    }
    expect(readEnvelopeList(`[{"a":1},${'[{"a":'.repeat(300_000)}]`, shape)).toMatchObject({
      ok: false,
      fault: { kind: 'malformed' },
    });
  });

  it('[R3] refuses an item with masses in it by itself, and tells some of its faults', () => {
    const long = `[${Array(10_001).fill('{}').join()}]`;
    const flawed = `[${Array(9_000).fill('{"a":"\\u0000","b":"\\u0000"}').join()}]`;
    for (const [masses, faults] of [
      [long, [{ kind: 'too_large', pointer: '/agent' }]],
      [flawed, Array(10).fill({ kind: 'unkeepable' })],
    ] as const) {
      const batch = `[{"a":1},{"agent":${masses}},{"agent":${masses},"b":1},{"a":2}]`;
      const bad = { ok: false, faults };
      expect(readEnvelopeList(batch, shape)).toMatchObject({
        ok: true,
        items: [{ ok: true }, bad, bad, { ok: true, value: { a: 2 } }],
      });
    }
  });

  it('[F11] refuses a payload over its limit and names it', () => {
    expect(faultsOf(`{"input":"${'x'.repeat(998)}"}`)).toEqual([]);
    expect(faultsOf(`{"input":"${'x'.repeat(999)}"}`)).toMatchObject([
      { kind: 'too_large', pointer: '/input' },
    ]);
  });

  it('reads names the same whether or not the item before had them in this order', () => {
    const items = fc.array(fc.dictionary(fc.string({ unit: 'binary', maxLength: 3 }), fc.integer()), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(items, (list) => {
        const text = JSON.stringify({ items: list });
        fc.pre(!/\\u(0000|d[89a-f])/i.test(text));
        const { items: got } = valueOf(text) as { items: object[] };
        expect(got.map((each) => Object.entries(each))).toEqual(list.map((each) => Object.entries(each)));
      }),
    );
  });
});
