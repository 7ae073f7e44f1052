import { parseTimestamp, type RawJson } from '@agentflow/domain';
import { stringOf } from './json-reading.js';

/** A number of milliseconds since 1970, whole or with decimals. */
const MILLISECONDS = /^(\d{1,15})(?:\.(\d{1,40}))?$/;

/**
 * A moment in the one spelling of `parseTimestamp`: from ISO 8601 with a zone or without (which means UTC), or from
 * milliseconds since 1970. Undefined for anything else.
 */
export function momentOf(json: RawJson | undefined): string | undefined {
  if (json === undefined) return undefined;
  const text = stringOf(json)?.replace(' ', 'T');
  if (text !== undefined) return parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
  const [, whole, fraction = ''] = MILLISECONDS.exec(json.text) ?? [];
  if (whole === undefined) return undefined;
  const date = new Date(Number(whole));
  if (Number.isNaN(date.getTime())) return undefined;
  return parseTimestamp(`${date.toISOString().slice(0, -1)}${fraction}Z`);
}

/**
 * The end of what began at `start`. Reporters that know microseconds at the start and milliseconds at the end would let
 * things end before they began.
 */
export function endAfter(start: string, end: string): string {
  return end < start && end.slice(0, 23) === start.slice(0, 23) ? start : end;
}
