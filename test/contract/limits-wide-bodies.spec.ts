import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import type { BodyField, Door } from '../support/doors/doors.js';
import { offences, withMember } from '../support/doors/refusals.js';
import { samplesOfBodies, type Sample } from '../support/doors/samples.js';
import { isAnyJson } from '../support/doors/wrong-values.js';

describe('bodies that are wide instead of deep', () => {
  let api: TestApi;
  let samples: Map<Door, Sample>;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_REQUEST_BYTES: String(4 * 1024 * 1024) });
    samples = await samplesOfBodies(api);
  });
  afterAll(() => api.close());

  it('[R3] 200,000 elements in any field that is checked get one short refusal', async () => {
    const list = `[${'"x",'.repeat(199_999)}"x"]`;
    expect(
      await offences(api, samples, ({ fields }, { body }) =>
        fields
          .filter(isChecked)
          .map(({ path, pointer }) => ({ body: withMember(body, path, list), at: pointer })),
      ),
    ).toEqual([]);
  }, 90_000);

  it('[R3] 100,000 unknown fields, or some with very long names, get a refusal of 8 kB and 20 faults at most', async () => {
    const names = (count: number, name: (i: number) => string): string =>
      `{${Array.from({ length: count }, (_, i) => `"${name(i)}":0`).join(',')}}`;
    const bodies = [
      names(100_000, (i) => `k${i}`),
      names(900, (i) => `k${i}`),
      names(1, () => 'k'.repeat(1_000_000)),
      names(50, (i) => `${i}${'é'.repeat(400)}`),
      names(500, (i) => `${i}${'\\u0001'.repeat(20)}`),
      names(500, (i) => `${i}${'~/'.repeat(50)}`),
    ];
    expect(await offences(api, samples, () => bodies.map((body) => ({ body, at: '' })))).toEqual([]);
  });

  it('[R3] An agent that is a list of 10,000 objects, each with faults of its own, is one fault', async () => {
    const list = `[${'{"name":5,"x":1},'.repeat(9_999)}{}]`;
    const answer = await api.admin.post('/v1/runs', `{"agent":${list}}`);
    expect(answer.body.errors).toEqual([{ pointer: '/agent', detail: 'has to be an object' }]);
  });
});

/** Neither a payload nor an object of the caller's own, which may be as wide as their bytes allow. */
function isChecked({ schema }: BodyField): boolean {
  return !isAnyJson(schema) && !schema.additionalProperties;
}
