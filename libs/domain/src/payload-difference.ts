import type { RawJson } from './json/raw-json.js';
import { diffJson, type Change, type ConfigDiff } from './version-diff.js';

/** A payload, and how large it is. One that is too large to be looked into stands for itself by a hash of its text. */
export interface MeasuredPayload {
  readonly json: RawJson | null;
  /** In characters of its text; null when there is none. */
  readonly size: number | null;
  readonly hash: string | null;
}

/** A difference of which the values are too large to be told. */
export interface OmittedDifference {
  /** Where, as a JSON Pointer. */
  readonly pointer: string;
  /** How large the value is on either side, in characters of its text; null where there is none. */
  readonly from_size: number | null;
  readonly to_size: number | null;
}

/** What differs between two payloads, by JSON Pointer. */
export interface PayloadDifference extends ConfigDiff {
  readonly omitted: readonly OmittedDifference[];
  /** How many differences more there are, which are not told. */
  readonly untold: number;
}

/** The largest value that is told, in characters; larger ones are omitted. */
const LARGEST_TOLD = 2_048;
const MOST_TOLD = 50;

/**
 * What differs between two payloads, bounded: at most fifty places, and no value of more than 2,048 characters, which is
 * then only measured. Payloads that are too large to be looked into are compared as texts. Null when nothing differs.
 */
export function comparePayloads(from: MeasuredPayload, to: MeasuredPayload): PayloadDifference | null {
  if (from.hash !== null || to.hash !== null) {
    return from.hash === to.hash ? null : { ...NOTHING, omitted: [omission('', from.size, to.size)] };
  }
  if (from.json === null || to.json === null) {
    if (from.json === to.json) return null;
    const whole = { added: {}, removed: {}, changed: {} };
    if (to.json !== null) Object.assign(whole.added, { '': to.json });
    if (from.json !== null) Object.assign(whole.removed, { '': from.json });
    return bounded(whole);
  }
  const diff = diffJson(from.json, to.json);
  const isEqual = [diff.added, diff.removed, diff.changed].every((map) => Object.keys(map).length === 0);
  return isEqual ? null : bounded(diff);
}

const NOTHING = { added: {}, removed: {}, changed: {}, untold: 0 };

function omission(pointer: string, from_size: number | null, to_size: number | null): OmittedDifference {
  return { pointer, from_size, to_size };
}

function bounded(diff: ConfigDiff): PayloadDifference {
  const omitted: OmittedDifference[] = [];
  let told = 0;
  let untold = 0;
  const few = <T>(
    map: Readonly<Record<string, T>>,
    sides: (value: T) => [RawJson | null, RawJson | null],
  ) => {
    const kept: [string, T][] = [];
    for (const [pointer, value] of Object.entries(map)) {
      const sizes = sides(value).map((side) => side?.text.length ?? null);
      if (told++ >= MOST_TOLD) untold++;
      else if (sizes.some((size) => (size ?? 0) > LARGEST_TOLD) || pointer.length > LARGEST_TOLD)
        omitted.push(omission(pointer.slice(0, LARGEST_TOLD), sizes[0] ?? null, sizes[1] ?? null));
      else kept.push([pointer, value]);
    }
    // A pointer begins with a slash or is empty, so none is taken for a prototype.
    return Object.fromEntries(kept);
  };
  return {
    changed: few(diff.changed, ({ from, to }: Change<RawJson>) => [from, to]),
    removed: few(diff.removed, (value) => [value, null]),
    added: few(diff.added, (value) => [null, value]),
    omitted,
    untold,
  };
}
