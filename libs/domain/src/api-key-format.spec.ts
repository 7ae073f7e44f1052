import { SCOPE_KINDS } from '@agentflow/contracts';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { base62, base62BytesFor, composeKey, digestKey, parseKey } from './api-key-format.js';

const publicId = 'a1B2c3D4e5F6';
const secret = 'Zz09'.repeat(10) + 'abc';

describe('[K1] composeKey and parseKey', () => {
  it('makes keys that a secret scanner finds, and takes them apart again', () => {
    const base62Text = (length: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${length}}$`));
    fc.assert(
      fc.property(fc.constantFrom(...SCOPE_KINDS), base62Text(12), base62Text(43), (kind, id, text) => {
        const key = composeKey(kind, id, text);
        expect(key).toMatch(/^af_(org|prj|agt)_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
        expect(parseKey(key)).toEqual({ kind, publicId: id, text: key });
      }),
    );
  });

  it('ends in the CRC-32 of all before it, in base62 with leading zeros', () => {
    const body = `af_org_000000000000_${'0'.repeat(43)}`;
    expect(composeKey('organization', '000000000000', '0'.repeat(43))).toBe(`${body}3peHgU`);
  });

  it('notices every change of a single character', () => {
    const key = composeKey('project', publicId, secret);
    const changed = [...key].flatMap((_, at) =>
      [...'0Az_-é \u0000'].filter((c) => c !== key[at]).map((c) => key.slice(0, at) + c + key.slice(at + 1)),
    );
    expect(changed.filter((text) => parseKey(text) !== undefined)).toEqual([]);
  });

  it.each([
    '',
    'af_',
    'af_usr_a1B2c3D4e5F6_',
    `${composeKey('agent', publicId, secret)}\n`,
    'x'.repeat(100_000),
  ])('refuses what has another form (%#)', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('refuses to compose from parts of the wrong form', () => {
    expect(() => composeKey('agent', 'short', secret)).toThrow(RangeError);
    expect(() => composeKey('agent', publicId, `${secret}x`)).toThrow(RangeError);
    expect(() => composeKey('agent', 'a1B2c3D4e5F-', secret)).toThrow(RangeError);
  });
});

describe('digestKey', () => {
  it('is SHA-256 of the whole key', () => {
    const key = composeKey('project', publicId, secret);
    expect(digestKey(key)).toEqual(createHash('sha256').update(key).digest());
  });
});

describe('base62', () => {
  it('gives each character equally many of the bytes and passes over the rest', () => {
    const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const counts = new Map<string, number>();
    for (const character of base62(everyByte, 248)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
    expect(() => base62(everyByte, 249)).toThrow(RangeError);
  });

  it('needs no more bytes than it says, with one in eight passed over', () => {
    for (const length of [12, 43, 100]) {
      const bytes = Uint8Array.from({ length: base62BytesFor(length) }, (_, at) => (at % 8 === 0 ? 255 : at));
      expect(base62(bytes, length)).toHaveLength(length);
    }
  });
});
