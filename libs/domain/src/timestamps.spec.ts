import fc from 'fast-check';
import { durationMs, fromPostgres, parseTimestamp } from './timestamps.js';

describe('[V11] parseTimestamp', () => {
  it.each([
    ['2026-02-03T04:05:06.123456Z', '2026-02-03T04:05:06.123456Z'],
    ['2026-02-03T04:05:06Z', '2026-02-03T04:05:06.000000Z'],
    ['2026-02-03t04:05:06.1z', '2026-02-03T04:05:06.100000Z'],
    ['2026-02-03T04:05:06.1234569999Z', '2026-02-03T04:05:06.123456Z'],
    ['2026-02-03T04:05:06.999999999+02:00', '2026-02-03T02:05:06.999999Z'],
    ['2026-02-28T23:59:59-00:01', '2026-03-01T00:00:59.000000Z'],
    ['2026-02-03T04:05:06-00:00', '2026-02-03T04:05:06.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:30:00-01:00', '1970-01-01T00:30:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('reads %s as %s', (raw, canonical) => {
    expect(parseTimestamp(raw)).toBe(canonical);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0070-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:30:00+01:00',
    '9999-12-31T23:59:59-00:01',
    '+275760-09-13T00:00:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00 Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01',
    '2026',
    '20260101T000000Z',
    '1767225600',
    '２０２６-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '',
    1767225600,
    null,
  ])('refuses %j', (raw) => {
    expect(parseTimestamp(raw)).toBeUndefined();
  });

  it('agrees with Date on every moment, whatever the zone it is written in', () => {
    const moments = fc.date({
      min: new Date('1970-01-02'),
      max: new Date('9999-12-30'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((each) =>
          String(each).padStart(2, '0'),
        );
        const zone = `${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
        expect(parseTimestamp(local + zone)).toBe(date.toISOString().replace('Z', '000Z'));
      }),
    );
  });
});

describe('fromPostgres', () => {
  it.each([
    ['2026-11-29 16:32:59.1234+00', '2026-11-29T16:32:59.123400Z'],
    ['2026-11-29 16:32:59+00', '2026-11-29T16:32:59.000000Z'],
    ['2026-11-29 16:32:59.123456+00:00', '2026-11-29T16:32:59.123456Z'],
  ])('reads %s', (text, canonical) => {
    expect(fromPostgres(text)).toBe(canonical);
  });

  it.each(['2026-11-29 16:32:59+02', 'infinity', '0044-03-15 12:00:00+00 BC', '', '2026-11-29T16:32:59Z'])(
    'throws on %j, which no connection of ours prints',
    (text) => {
      expect(() => fromPostgres(text)).toThrow(RangeError);
    },
  );
});

describe('durationMs', () => {
  it.each([
    ['2026-02-03T04:05:06.000000Z', '2026-02-03T04:05:07.500999Z', { ms: 1500, isReversed: false }],
    ['2026-02-03T04:05:06.999999Z', '2026-02-03T04:05:07.000998Z', { ms: 0, isReversed: false }],
    ['2026-02-03T04:05:06.000000Z', '2026-02-03T04:05:06.000000Z', { ms: 0, isReversed: false }],
    ['2026-02-03T04:05:06.000001Z', '2026-02-03T04:05:06.000000Z', { ms: 0, isReversed: true }],
    [
      '1970-01-01T00:00:00.000000Z',
      '9999-12-31T23:59:59.999999Z',
      { ms: 253402300799999, isReversed: false },
    ],
  ])('from %s to %s', (start, end, duration) => {
    expect(durationMs(start, end)).toEqual(duration);
  });
});
