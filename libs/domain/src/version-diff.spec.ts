import fc from 'fast-check';
import { encodeJson } from './json/encode-json.js';
import { sameJson } from './json/canonical-json.js';
import { RawJson } from './json/raw-json.js';
import { diffVersions, sameDefinition, type AgentDefinition } from './version-diff.js';

const definition = (config: string, rest: Partial<AgentDefinition> = {}): AgentDefinition => ({
  adapter: 'custom',
  description: null,
  config: RawJson.trusted(config),
  ...rest,
});
const configDiff = (from: string, to: string) =>
  JSON.parse(encodeJson(diffVersions(definition(from), definition(to)).config)) as unknown;

describe('diffVersions', () => {
  it('tells what was added, removed and changed, by JSON Pointer', () => {
    expect(configDiff('{"a.b":1,"m":{"x":[1,2]},"gone":null}', '{"a.b":2,"m":{"x":[1,2],"y":3}}')).toEqual({
      added: { '/m/y': 3 },
      removed: { '/gone': null },
      changed: { '/a.b': { from: 1, to: 2 } },
    });
  });

  it('takes arrays and scalars whole, and a change of type as a change', () => {
    expect(
      configDiff('{"list":[1,{"a":1}],"o":{"x":1},"s":"1"}', '{"list":[1,{"a":2}],"o":[],"s":1}'),
    ).toEqual({
      added: {},
      removed: {},
      changed: {
        '/list': { from: [1, { a: 1 }], to: [1, { a: 2 }] },
        '/o': { from: { x: 1 }, to: [] },
        '/s': { from: '1', to: 1 },
      },
    });
  });

  it('[F1] takes hostile names as data', () => {
    const text = encodeJson(
      diffVersions(
        definition('{"__proto__":{"x":1},"":1,"a/b":1,"~":1,"constructor":{"":1}}'),
        definition('{"__proto__":{"x":2},"":2,"a/b":2,"~":2,"constructor":{"":2},"toString":1}'),
      ).config,
    );
    expect(Object.keys((JSON.parse(text) as { changed: object }).changed)).toEqual([
      '/__proto__/x',
      '/',
      '/a~1b',
      '/~0',
      '/constructor/',
    ]);
    expect(text).toContain('"added":{"/toString":1}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('[F4] keeps big integers digit for digit, and tells neighbours apart', () => {
    const { changed } = diffVersions(
      definition('{"n":9007199254740992}'),
      definition('{"n":9007199254740993}'),
    ).config;
    expect(changed['/n']).toEqual({
      from: RawJson.trusted('9007199254740992'),
      to: RawJson.trusted('9007199254740993'),
    });
  });

  it('takes no spelling for a difference', () => {
    expect(
      configDiff('{"a":1.0,"b":{"x":[1, 2],"y":"\\u0041"}}', '{"b":{"y":"A","x":[1e0,2]},"a":1}'),
    ).toEqual({
      added: {},
      removed: {},
      changed: {},
    });
  });

  it('shows a config that is no object as one change at the root', () => {
    expect(configDiff('[1]', '{}')).toEqual({
      added: {},
      removed: {},
      changed: { '': { from: [1], to: {} } },
    });
  });

  it('compares adapter and description', () => {
    const a = definition('{}', { adapter: 'langgraph', description: 'old' });
    const b = definition('{}', { adapter: 'custom', description: null });
    expect(diffVersions(a, b)).toMatchObject({
      adapter: { from: 'langgraph', to: 'custom' },
      description: { from: 'old', to: null },
    });
    expect(diffVersions(a, a)).toEqual({
      adapter: null,
      description: null,
      config: { added: {}, removed: {}, changed: {} },
    });
  });

  it('is empty exactly when nothing differs, and mirrors when the sides change', () => {
    const config = fc.oneof(
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a/b', '~', ''), fc.jsonValue({ maxDepth: 3 })),
      fc.jsonValue({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(config, config, (a, b) => {
        const [from, to] = [a, b].map((value) => definition(JSON.stringify(value)));
        if (from === undefined || to === undefined) return;
        const { added, removed, changed } = diffVersions(from, to).config;
        const total = [added, removed, changed].flatMap((part) => Object.keys(part)).length;
        expect(total === 0).toBe(sameJson(from.config, to.config));
        const back = diffVersions(to, from).config;
        expect(Object.keys(back.added).sort()).toEqual(Object.keys(removed).sort());
        expect(Object.keys(back.changed).sort()).toEqual(Object.keys(changed).sort());
      }),
    );
  });
});

describe('sameDefinition', () => {
  it('ignores the order of names in the config, and nothing else', () => {
    const base = definition('{"a":1,"b":2}');
    expect(sameDefinition(base, definition('{"b":2,"a":1}'))).toBe(true);
    expect(sameDefinition(base, definition('{"b":2}'))).toBe(false);
    expect(sameDefinition(base, { ...base, adapter: 'otel' })).toBe(false);
    expect(sameDefinition(base, { ...base, description: '' })).toBe(false);
  });
});
