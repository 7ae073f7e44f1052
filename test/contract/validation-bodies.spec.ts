import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import type { Door, Schema } from '../support/doors/doors.js';
import { offences, withMember, withMemberTwice, type Attempt } from '../support/doors/refusals.js';
import { clientFor, samplesOfBodies, type Sample } from '../support/doors/samples.js';
import { wrongValues } from '../support/doors/wrong-values.js';

const mayBeNull = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some((one) => one.type === 'null');

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).sort();

describe('bodies of every door that the api describes', () => {
  let api: TestApi;
  let samples: Map<Door, Sample>;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_REQUEST_BYTES: String(4 * 1024 * 1024) });
    samples = await samplesOfBodies(api);
  });
  afterAll(() => api.close());

  const refused = (attempts: (door: Door, sample: Sample) => Attempt[]) => offences(api, samples, attempts);

  it('[V6] [V7] [V10] [V11] [V12] [V13] [F2] [F3] [F4] [F6] [F7] A wrong value for any field is refused at its pointer', async () => {
    const wrong = ({ fields }: Door, { body }: Sample): Attempt[] =>
      fields.flatMap(({ path, pointer, schema }) =>
        wrongValues(path.at(-1) as string, schema).map((raw) => ({
          body: withMember(body, path, raw),
          at: pointer,
        })),
      );
    expect(await refused(wrong)).toEqual([]);
  }, 90_000);

  it('[V6] A body that is no object, or no JSON at all, is refused', async () => {
    const scalars = ['null', '"x"', '5', 'true', '[]', '[{}]', '[null]'];
    const broken = [' ', '{', '{}x', '{}{}', '\ufeff{}', '{"a" 1}', '{,}', '//{}'];
    expect(await refused(() => [...scalars, ...broken].map((body) => ({ body, at: '' })))).toEqual([]);
  });

  it('[V6] [V9] [T13] A field that the door does not know is refused, whatever it is called', async () => {
    const hostile = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a/b~c', '😀'];
    const internal = ['tenant_id', 'created_at', 'index', 'is_admin'];
    const unknown = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    expect(
      await refused((_door, { body }) =>
        [...hostile, ...internal].map((name) => ({ body: withMember(body, [name], '1'), at: unknown(name) })),
      ),
    ).toEqual([]);
  });

  it('[V6] A field that is due is missed at its pointer', async () => {
    expect(
      await refused(({ fields }, { body }) =>
        fields
          .filter(({ isRequired, path }) => isRequired && path.length === 1)
          .map(({ path, pointer }) => ({ body: withMember(body, path, undefined), at: pointer })),
      ),
    ).toEqual([]);
  });

  it('[F9] A field that is named twice is refused, since nobody can say which was meant', async () => {
    expect(
      await refused(({ fields }, { body }) =>
        fields
          .filter(({ path }) => path.length === 1)
          .map((field) => ({ body: withMemberTwice(body, field), at: field.pointer })),
      ),
    ).toEqual([]);
  });

  it('[V6] What the document says may be null is taken as null', async () => {
    const notTaken: string[] = [];
    for (const [door, { path, body }] of samples) {
      for (const field of door.fields.filter(({ schema }) => mayBeNull(schema))) {
        const answer = await clientFor(api, door).call(
          door.method,
          path,
          withMember(body, field.path, 'null'),
        );
        if (answer.status === 400) notTaken.push(`${door.id} ${field.pointer}: ${answer.text}`);
      }
    }
    expect(notTaken).toEqual([]);
  });

  it('[V9] After all of this nothing has got into the prototypes', () => {
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(PROTOTYPE);
  });
});
