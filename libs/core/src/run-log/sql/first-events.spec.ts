import { describe, expect, it } from '@jest/globals';
import { RawJson } from '@agentflow/domain';
import type { RunEventRow } from '../run-log-row.js';
import { areAll } from './first-events.js';

const events = (count: number, data: RawJson | null): RunEventRow[] =>
  Array.from({ length: count }, (_, i) => ({
    seq: i + 1,
    type: 'step.started',
    entity_id: null,
    data,
    at: '2026-02-03T08:00:00.000000Z',
  }));

describe('areAll', () => {
  it('tells that there were no more events when neither their number nor their size cut them off', () => {
    expect(areAll(events(199, RawJson.trusted('{}')))).toBe(true);
    expect(areAll(events(1, null))).toBe(true);
  });

  it('tells nothing of the kind of two hundred, or of a quarter of a megabyte as it is stored', () => {
    expect(areAll(events(200, RawJson.trusted('{}')))).toBe(false);
    const wide = RawJson.trusted(`"${'\u00e9'.repeat(65_536)}"`);
    expect([1, 2].map((count) => areAll(events(count, wide)))).toEqual([true, false]);
  });
});
