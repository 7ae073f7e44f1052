import { describe, expect, it } from '@jest/globals';
import { newId } from './ids.js';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('newId', () => {
  it('Ids are UUIDv7 of the present time', () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(V7);
    const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now() + 1_000); // a burst may run ahead by some milliseconds
  });

  it('Ids of one process sort as they were made, also by the thousands within a millisecond', () => {
    const nowMs = Date.now();
    const ids = Array.from({ length: 20_000 }, () => newId(nowMs));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => V7.test(id))).toBe(true);
  });

  it('Ids go on rising when the clock is set back', () => {
    const later = newId(Date.now() + 60_000);
    expect(newId(Date.now() - 60_000) > later).toBe(true);
  });
});
