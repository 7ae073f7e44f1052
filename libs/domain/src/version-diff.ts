import { sameJson } from './json/canonical-json.js';
import { jsonMembers } from './json/json-members.js';
import { escapeSegment } from './json/json-pointer.js';
import type { RawJson } from './json/raw-json.js';

/** What a version of an agent pins. */
export interface AgentDefinition {
  readonly adapter: string;
  readonly description: string | null;
  readonly config: RawJson;
}

/** A value before and after. */
export interface Change<T> {
  readonly from: T;
  readonly to: T;
}

/** The members that differ, each by its JSON Pointer (RFC 6901); values are source text, digit for digit. */
export interface ConfigDiff {
  readonly added: Readonly<Record<string, RawJson>>;
  readonly removed: Readonly<Record<string, RawJson>>;
  readonly changed: Readonly<Record<string, Change<RawJson>>>;
}

export interface VersionDiff {
  readonly adapter: Change<string> | null;
  readonly description: Change<string | null> | null;
  readonly config: ConfigDiff;
}

/**
 * How definition `b` differs from `a`. Objects of the config are compared member by member at every depth,
 * arrays and scalars whole; values that only differ in spelling (key order, `1.0` for `1`) do not differ.
 * Names are data whatever they are: a pointer starts with `/`, or is empty for the config as a whole.
 */
export function diffVersions(a: AgentDefinition, b: AgentDefinition): VersionDiff {
  return {
    adapter: changeOf(a.adapter, b.adapter),
    description: changeOf(a.description, b.description),
    config: diffJson(a.config, b.config),
  };
}

/** What differs between two JSON values, member by member; values of other types are a change of the whole, at ``. */
export function diffJson(from: RawJson, to: RawJson): ConfigDiff {
  const diff = { added: {}, removed: {}, changed: {} };
  collect(diff, '', from, to);
  return diff;
}

/** Whether two definitions are the same, so that saving the one over the other makes no new version. */
export function sameDefinition(a: AgentDefinition, b: AgentDefinition): boolean {
  return a.adapter === b.adapter && a.description === b.description && sameJson(a.config, b.config);
}

interface Collected {
  readonly added: Record<string, RawJson>;
  readonly removed: Record<string, RawJson>;
  readonly changed: Record<string, Change<RawJson>>;
}

/** Recursive, as deep as configs nest; the door lets 64 levels in. */
function collect(into: Collected, pointer: string, from: RawJson, to: RawJson): void {
  if (from.text === to.text) return;
  const [before, after] = [jsonMembers(from), jsonMembers(to)];
  if (before === undefined || after === undefined) {
    if (!sameJson(from, to)) into.changed[pointer] = { from, to };
    return;
  }
  for (const [name, old] of before) {
    const at = `${pointer}/${escapeSegment(name)}`;
    const fresh = after.get(name);
    if (fresh === undefined) into.removed[at] = old;
    else collect(into, at, old, fresh);
  }
  for (const [name, fresh] of after) {
    if (!before.has(name)) into.added[`${pointer}/${escapeSegment(name)}`] = fresh;
  }
}

/** What differs between two plain values; null where nothing does. */
export function changeOf<T>(from: T, to: T): Change<T> | null {
  return from === to ? null : { from, to };
}
