import fc from 'fast-check';
import { jsonMembers } from './json-members.js';
import { RawJson } from './raw-json.js';

describe('jsonMembers', () => {
  it('lists the members of any object with their source text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom(0, 2),
        (object, indent) => {
          const members = jsonMembers(RawJson.trusted(JSON.stringify(object, null, indent)));
          const names = [...(members?.keys() ?? [])];
          expect(names.sort()).toEqual(Object.keys(object).map(asStored).sort());
          for (const [name, value] of members ?? []) {
            expect(value.parse()).toEqual(JSON.parse(JSON.stringify(object[name])));
          }
        },
      ),
    );
  });

  it.each(['[1]', '"{}"', '1', 'null', 'true'])('says that %s is no object', (text) => {
    expect(jsonMembers(RawJson.trusted(text))).toBeUndefined();
  });

  it('keeps digits, and lets the last of a repeated name win', () => {
    const members = jsonMembers(
      RawJson.trusted('{ "a" : 1.0 , "b":{"x":[1,{}]}, "a":12345678901234567890 }'),
    );
    expect([...(members ?? [])].map(([name, { text }]) => [name, text])).toEqual([
      ['a', '12345678901234567890'],
      ['b', '{"x":[1,{}]}'],
    ]);
  });
});

function asStored(name: string): string {
  return JSON.parse(JSON.stringify(name)) as string;
}
