import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anApi, type TestApi } from '../support/api.js';
import { doorsOf, type BodyField } from '../support/doors/doors.js';
import { withMember } from '../support/doors/refusals.js';
import { aSample, clientFor } from '../support/doors/samples.js';
import { EFFORT } from '../support/effort.js';
import { aCheckpoint, aMessage, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const MIB = 1024 * 1024;

describe('texts', () => {
  let api: TestApi;
  let truth: Truth;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_MAX_REQUEST_BYTES: String(24 * MIB) });
    truth = theTruth(api.database);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  it('[F11] Every text of every door is kept whole up to its limit in characters, and refused above, never cut', async () => {
    const wrong: string[] = [];
    for (const door of await doorsOf(api.url)) {
      for (const { path, pointer, schema } of door.fields.filter(isFreeText)) {
        if (NAMES_SOMETHING.has(`${door.id} ${pointer}`)) continue;
        const { maxLength = 0 } = schema;
        const text = aTextOf(maxLength);
        const send = async (value: string): Promise<{ status: number; text: string }> => {
          const sample = await aSample(api, door);
          const body = withMember(sample.body, path, JSON.stringify(value));
          return clientFor(api, door).call(door.method, sample.path, body);
        };
        const kept = await send(text);
        const isShown = isShownElsewhere(`${door.id} ${pointer}`) || kept.text.includes(text);
        const isKept = kept.status < 300 && isShown;
        if (!isKept) wrong.push(`${door.id} ${pointer}: ${kept.status} at ${maxLength}`);
        for (const longer of [`${text}x`, ...(maxLength < MIB ? ['😀'.repeat(2 * maxLength)] : [])]) {
          const refused = await send(longer);
          if (![400, 413].includes(refused.status))
            wrong.push(`${door.id} ${pointer}: ${refused.status} above ${maxLength}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 90_000);

  it('[F11] A note on a version is kept whole up to its limit', async () => {
    const { id } = await anAgent(api.admin);
    const note = '😀'.repeat(512);
    await api.admin.patch(`/v1/agents/${id}`, { config: { changed: true }, note });
    expect((await api.admin.get(`/v1/agents/${id}/versions/2`)).body.note).toBe(note);
  });

  it('[F11] The reason of a retry and of a fork is kept whole up to its limit, in the first event of the new run', async () => {
    const { id } = await aRunningRun(api.admin);
    await aCheckpoint(api.admin, id);
    const reason = '😀'.repeat(16_384);
    for (const path of ['retry', 'checkpoints/0/fork']) {
      const made = (await api.admin.post(`/v1/runs/${id}/${path}`, { reason })).body;
      const [event] = await truth.events(made.id as string);
      expect([path, event?.data.reason === reason]).toEqual([path, true]);
    }
  });

  it(
    '[F1] [E9] Any text without NUL comes back character for character: control characters, line breaks, all planes',
    async () => {
      const run = await aRunningRun(api.admin);
      const special = fc.constantFrom(
        '\u0001',
        '\u001b[31m',
        '\r\n',
        '\u007f',
        '\u0085',
        '\u2028',
        '\ufeff',
        '\ufffd',
        '\u{10ffff}',
      );
      const text = fc
        .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), special), { maxLength: 6 })
        .map((parts) => parts.join('').replaceAll('\0', ''));
      await fc.assert(
        fc.asyncProperty(text, async (content) => {
          expect((await aMessage(api.admin, run.id, { content })).content).toBe(content);
          const listed = await api.admin.get(`/v1/runs/${run.id}/messages?order=desc&limit=1`);
          expect(listed.body.data[0].content).toBe(content);
        }),
        { numRuns: 40 * EFFORT, endOnFailure: true },
      );
    },
    30_000 * EFFORT,
  );
});

/** Texts that have to be those of something that is there. */
const NAMES_SOMETHING = new Set(['toolCalls_completeOldest /name', 'runCopies_claim /agent']);

let count = 0;

/** So many characters, of four bytes each as long as that is less than a payload may have; no two are the same. */
function aTextOf(characters: number): string {
  const start = `${++count}-`;
  return start + (characters > MIB ? 'x' : '😀').repeat(characters - start.length);
}

/** A text whose only rule is its length. */
function isFreeText({ schema, path }: BodyField): boolean {
  const isText = [schema.type].flat().includes('string');
  const isBound = schema.pattern !== undefined || schema.format !== undefined || schema.enum !== undefined;
  return isText && !isBound && path.length === 1;
}

/** Shown with the version, or with an event: tests of their own look there. */
const isShownElsewhere = (text: string): boolean => /\/note$|^runCopies_\w+ \/reason$/.test(text);
