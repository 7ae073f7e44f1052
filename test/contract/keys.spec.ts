import { SCOPE_KINDS } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeyText } from '../../apps/api/src/api-keys/key-mint.js';
import { anApi, type TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { aKey } from '../support/things.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^af_(org|prj|agt)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const KEYS = 5_000;

/** CRC-32 as the standard has it, bit by bit, written in base62 with leading zeros. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

describe('API keys', () => {
  const keys = Array.from({ length: KEYS }, (_, i) => newKeyText(SCOPE_KINDS[i % 3] ?? 'organization'));
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it(`[K1] ${KEYS} keys have the documented form, prefix by scope, and a right checksum`, () => {
    for (const [i, key] of keys.entries()) {
      const [, prefix] = FORM.exec(key) ?? [];
      expect(prefix).toBe(['org', 'prj', 'agt'][i % 3]);
      expect(checksum(key.slice(0, -6))).toBe(key.slice(-6));
    }
  });

  it('[K1] no secret and no public id comes twice', () => {
    const parts = keys.map((key) => FORM.exec(key) as RegExpExecArray);
    expect(new Set(parts.map(([, , publicId]) => publicId)).size).toBe(KEYS);
    expect(new Set(parts.map(([, , , secret]) => secret)).size).toBe(KEYS);
  });

  it('[K1] every character of a secret is as likely as any other, at every place: 256 random bits', () => {
    const secrets = keys.map((key) => (FORM.exec(key) as RegExpExecArray)[3] as string);
    // So far out lies less than one run in a million, all 62 × 44 counts taken together.
    const expectEven = (counts: Map<string, number>, draws: number): void => {
      const deviation = Math.sqrt((draws / 62) * (61 / 62));
      for (const character of ALPHABET) {
        expect(Math.abs((counts.get(character) ?? 0) - draws / 62)).toBeLessThan(7.5 * deviation);
      }
    };
    const counted = (characters: string[]): Map<string, number> =>
      characters.reduce(
        (counts, one) => counts.set(one, (counts.get(one) ?? 0) + 1),
        new Map<string, number>(),
      );
    expectEven(counted(secrets.flatMap((secret) => [...secret])), KEYS * 43);
    for (let at = 0; at < 43; at++) expectEven(counted(secrets.map((secret) => secret.charAt(at))), KEYS);
  });

  it('[K1] minted keys are of that kind, and what is shown of them is what they begin and end with', async () => {
    for (let i = 0; i < 20; i++) {
      const { key, public_id, hint } = await aKey(api.admin, { scope: 'organization' });
      expect(FORM.exec(key)?.slice(1, 3)).toEqual(['org', public_id]);
      expect(key.slice(-4)).toBe(hint);
      expect(checksum(key.slice(0, -6))).toBe(key.slice(-6));
    }
  });

  it('[K1] a typing error is found without asking the database', async () => {
    const { key } = await aKey(api.admin, { scope: 'organization' });

    await connected(api.database.adminUrl, (superuser) =>
      superuser.query('ALTER FUNCTION authenticate_key RENAME TO away'),
    );
    const statuses = new Set<number>();
    for (let at = 0; at < key.length; at++) {
      const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      statuses.add((await api.as(typo).get('/v1/me')).status);
    }
    expect([...statuses]).toEqual([401]);
    expect((await api.as(key).get('/v1/me')).status).toBe(500);
  });
});
