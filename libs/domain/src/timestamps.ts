const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,40}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const POSTGRES = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::00)?$/;

const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;
const MS_PER_MINUTE = 60_000;

/**
 * Reads a moment in RFC 3339 with a zone and gives its one spelling: UTC, six decimals, `Z`
 * (`2026-02-03T04:05:06.123456Z`), so that moments compare as texts do. Undefined for anything else: no zone,
 * a day that its month does not have, a leap second, 24:00, a year outside 1970–9999 once in UTC.
 *
 * Digits beyond microseconds are cut off and not rounded: a moment never moves into the future, and a
 * fraction never carries into the second. The fraction never passes through `Date`, which keeps milliseconds.
 */
export function parseTimestamp(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined;
  // Items of a batch tell the same moments again and again.
  if (raw === lastRead.raw) return lastRead.moment;
  const moment = readTimestamp(raw);
  if (raw.length <= LONGEST_KEPT) lastRead = { raw, moment };
  return moment;
}

const LONGEST_KEPT = 64;
let lastRead: { raw: string; moment: string | undefined } = { raw: '', moment: undefined };

function readTimestamp(raw: string): string | undefined {
  const match = RFC_3339.exec(raw);
  if (match === null) return undefined;
  const second = utcSecondOf(raw, match);
  return second === undefined ? undefined : `${second}.${microseconds(match[7] ?? '')}Z`;
}

const SECOND = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Moments that are read together are of few seconds. */
const knownSeconds = new Map<string, string | undefined>();
const MOST_KNOWN = 64;

function utcSecondOf(raw: string, match: RegExpExecArray): string | undefined {
  if (match[8] !== undefined) return readSecond(match);
  const said = raw.slice(0, SECOND);
  const known = knownSeconds.get(said);
  if (known !== undefined) return known;
  if (knownSeconds.size === MOST_KNOWN) knownSeconds.clear();
  const utc = readSecond(match);
  knownSeconds.set(said, utc);
  return utc;
}

function readSecond(match: RegExpExecArray): string | undefined {
  const [, year, month, day, hour, minute, second, , sign, zoneHour = 0, zoneMinute = 0] = match;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as SixNumbers;
  const isReal = d >= 1 && d <= daysIn(y, mo) && h <= 23 && mi <= 59 && s <= 59;
  if (!isReal || Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined;
  const offsetMinutes = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const utc = new Date(Date.UTC(y, mo - 1, d, h, mi, s) - offsetMinutes * MS_PER_MINUTE);
  if (y < FIRST_YEAR - 1 || utc.getUTCFullYear() < FIRST_YEAR || utc.getUTCFullYear() > LAST_YEAR)
    return undefined;
  return utc.toISOString().slice(0, SECOND);
}

/**
 * The same spelling from what Postgres prints for a `timestamptz` on a connection whose zone is UTC
 * (`2026-11-29 16:32:59.1234+00`). Throws on any other text: it would be a connection with the wrong settings.
 */
export function fromPostgres(text: string): string {
  // What was written together has one moment.
  if (text === lastPrinted.text) return lastPrinted.moment;
  const match = POSTGRES.exec(text);
  if (match === null) throw new RangeError(`not a moment in UTC as Postgres prints it: ${text.slice(0, 60)}`);
  lastPrinted = { text, moment: `${match[1]}T${match[2]}.${microseconds(match[3] ?? '')}Z` };
  return lastPrinted.moment;
}

let lastPrinted = { text: '', moment: '' };

/**
 * Whole milliseconds from start to end, cut off, both in the spelling of `parseTimestamp`. An end before
 * its start gives 0 and says so: clocks disagree, and a duration is never negative.
 */
export function durationMs(
  start: string,
  end: string,
): { readonly ms: number; readonly isReversed: boolean } {
  if (end < start) return { ms: 0, isReversed: true };
  const isSameSecond = start.startsWith(end.slice(0, SECOND));
  const seconds = isSameSecond ? 0 : (secondsOf(end) - secondsOf(start)) / 1_000;
  const rest = Number(end.slice(20, 26)) - Number(start.slice(20, 26));
  return { ms: seconds * 1_000 + Math.floor(rest / 1_000), isReversed: false };
}

type SixNumbers = [number, number, number, number, number, number];

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function microseconds(fraction: string): string {
  return fraction.slice(0, 6).padEnd(6, '0');
}

/** Milliseconds since 1970 of the whole seconds. */
function secondsOf(canonical: string): number {
  return Date.parse(`${canonical.slice(0, SECOND)}Z`);
}
