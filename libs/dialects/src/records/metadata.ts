import { FLAGS_MEMBER } from '@agentflow/contracts';
import { DEFAULT_JSON_LIMITS, readPayload, type RawJson } from '@agentflow/domain';
import { objectOf } from './json-writing.js';

/** One level for the object that they are put into, and one for `reported`. */
const LIMITS = { ...DEFAULT_JSON_LIMITS, depth: DEFAULT_JSON_LIMITS.depth - 2 };

type Entry = readonly [string, RawJson | undefined];

/** What is left out, and why. */
export type Refuse = (name: string, detail: string) => void;

/**
 * One object of what we have to say and what the reporter calls metadata. Where both use a name, ours stands, and theirs
 * is kept under `reported`; so is what would pass for a flag of the product. What a `jsonb` column cannot hold is refused by itself. Undefined when nothing is left.
 */
export function metadataOf(
  ours: readonly Entry[],
  theirs: Iterable<Entry>,
  refuse: Refuse,
): RawJson | undefined {
  const members = new Map<string, RawJson>();
  const reported = new Map<string, RawJson>();
  for (const [name, json] of ours) {
    if (isKeepable(name, json, refuse)) (name === FLAGS_MEMBER ? reported : members).set(name, json);
  }
  const names = new Set([...members.keys(), FLAGS_MEMBER, 'reported']);
  for (const [name, json] of theirs) {
    if (isKeepable(name, json, refuse)) (names.has(name) ? reported : members).set(name, json);
  }
  if (reported.size > 0) members.set('reported', objectOf(reported));
  return members.size === 0 ? undefined : objectOf(members);
}

function isKeepable(name: string, json: RawJson | undefined, refuse: Refuse): json is RawJson {
  if (json === undefined) return false;
  const reading = readPayload(json.text, 'structured', LIMITS);
  if (!reading.ok) refuse(name, reading.fault.detail);
  return reading.ok;
}
