import { describe, expect, it } from '@jest/globals';
import { boundedFaults } from './bounded-faults.js';

const faults = (...pointers: string[]) => pointers.map((pointer) => ({ pointer, detail: 'is wrong' }));
const pointers = (...given: string[]): string[] =>
  boundedFaults(faults(...given)).map(({ pointer }) => pointer);

describe('boundedFaults', () => {
  it('tells 20 places at most, each once', () => {
    const many = Array.from({ length: 50 }, (_, i) => `/f${i}`);
    expect(pointers('/f0', ...many)).toEqual(many.slice(0, 20));
  });

  it('cuts a long pointer to the nearest ancestor that is short', () => {
    expect(pointers(`/a/b/${'x'.repeat(200)}/c`)).toEqual(['/a/b']);
    expect(pointers(`/${'x'.repeat(1_000_000)}`)).toEqual(['']);
    expect(pointers(`?${'x'.repeat(200)}/y`)).toEqual(['?']);
    expect(pointers(`/a/${'é'.repeat(100)}`, `/a/${'\u0001'.repeat(30)}`)).toEqual(['/a']);
  });

  it('stays below 8 kB whatever the faults are', () => {
    const hostile = Array.from({ length: 50 }, (_, i) => ({
      pointer: `/${'\u0001'.repeat(20)}${i}/${'😀'.repeat(300)}`,
      detail: 'd'.repeat(5_000),
    }));
    expect(Buffer.byteLength(JSON.stringify(boundedFaults(hostile)))).toBeLessThan(8 * 1024 - 512);
  });
});
