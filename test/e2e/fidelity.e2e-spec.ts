import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anAgent } from '../support/things.js';
import { EFFORT } from '../support/effort.js';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer } from '../support/client.js';
import { doorsOf } from '../support/doors/doors.js';
import { JOURNEYS, type Journey } from '../support/doors/journeys.js';
import { jsonTexts, meaningOf, objectTexts } from '../support/doors/json-texts.js';
import { isAnyJson } from '../support/doors/wrong-values.js';
import { everyOpening } from '../support/doors/openings.js';

const RUNS = 12 * EFFORT;

describe('payloads', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[F1] Every payload of every door that the api describes is sent through here', async () => {
    const doors = await doorsOf(api.url);
    const payloads = doors.flatMap(({ id, fields }) =>
      fields
        .filter(({ schema }) => isAnyJson(schema) || schema.additionalProperties)
        .map(({ pointer }) => `${id} ${pointer}`),
    );
    expect(Object.keys(JOURNEYS).sort()).toEqual(payloads.sort());
  });

  it.each(Object.entries(JOURNEYS))(
    '[F1] [F4] %s comes back as it was sent, wherever it is shown',
    async (_name, journey) => {
      const texts = journey.column === 'json' ? jsonTexts() : objectTexts();
      await fc.assert(
        fc.asyncProperty(texts, (raw) => arrives(journey, raw)),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    30_000 * EFFORT,
  );

  it(
    '[F1] [F4] What differs between two versions of an agent is shown as it was sent',
    async () => {
      const { id } = await anAgent(api.admin, { config: { p: [] } });
      const differs = async (raw: string, version: number): Promise<void> => {
        await api.admin.patch(`/v1/agents/${id}`, `{"config":{"p":[${raw}],"n":${version}}}`);
        const diff = await api.admin.get(`/v1/agents/${id}/versions/diff?from=1&to=${version}`);
        expect(meaningsOf(diff, 'to')).toContain(meaningOf(`[${raw}]`));
      };
      let version = 1;
      await fc.assert(
        fc.asyncProperty(objectTexts(), (raw) => differs(raw, ++version)),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    30_000 * EFFORT,
  );

  it(
    '[F8] After all of this every run can be listed and opened, with all that belongs to it',
    async () => {
      expect(await everyOpening(api)).toEqual([]);
    },
    30_000 * EFFORT,
  );

  async function arrives(journey: Journey, raw: string): Promise<void> {
    const { answers, name } = await journey.run(api, raw);
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(300);
      if (journey.column === 'json' && !raw.startsWith('"')) {
        expect(answer.text).toContain(`"${name}":${raw.trim()}`);
      } else {
        expect(meaningsOf(answer, name)).toContain(meaningOf(raw));
      }
    }
  }
});

/** What an answer has under a name, at any depth outside payloads that are not asked for. */
function meaningsOf({ body }: Answer, name: string): string[] {
  const found: string[] = [];
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 3) return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === name) found.push(meaningOf(JSON.stringify(inner)));
      look(inner, depth + 1);
    }
  };
  look(body, 0);
  return found;
}
